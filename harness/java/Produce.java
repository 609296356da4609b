import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.UUID;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes records that it reads from standard input, one a line with tabs between, and prints how many are stored:
 *
 * <pre>partition  timestamp  key  value  [header=value ...]</pre>
 *
 * Partition and timestamp (ms) may be empty. Key, value and headers are text; base64: in front means bytes, \N none.
 *
 * <pre>Produce TOPIC [transaction=N] [abort=K] [PROPERTY=VALUE ...]</pre>
 *
 * transaction=N commits after every N records, and after the last; abort=K aborts every K-th of these transactions, and
 * its records do not count. The others are properties of the producer. Kafka's address is in client.properties on the
 * class path.
 */
public final class Produce {
  private final String topic;
  private final Properties settings = new Properties();
  private long transaction;
  private long abort;

  private Producer<byte[], byte[]> producer;
  /** Why a record could not be written, told by the producer's own thread. */
  private volatile Exception failure;
  private long inTransaction;
  private long transactions;
  private long stored;

  public static void main(String[] args) throws IOException {
    Produce produce = new Produce(args);
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16)) {
      produce.run(in);
    }
    System.out.println(produce.stored);
  }

  private Produce(String[] args) throws IOException {
    if (args.length == 0) {
      throw new IllegalArgumentException("usage: Produce TOPIC [transaction=N] [abort=K] [PROPERTY=VALUE ...]");
    }
    topic = args[0];
    try (InputStream in = Produce.class.getResourceAsStream("/client.properties")) {
      settings.load(in);
    }
    for (int i = 1; i < args.length; i++) {
      set(args[i]);
    }
    if (transaction > 0) {
      settings.putIfAbsent("transactional.id", UUID.randomUUID().toString());
    }
  }

  private void set(String argument) {
    int at = argument.indexOf('=');
    if (at < 0) {
      throw new IllegalArgumentException(argument + ": expected PROPERTY=VALUE");
    }
    String value = argument.substring(at + 1);
    switch (argument.substring(0, at)) {
      case "transaction" -> transaction = Long.parseLong(value);
      case "abort" -> abort = Long.parseLong(value);
      default -> settings.put(argument.substring(0, at), value);
    }
  }

  private void run(BufferedReader in) throws IOException {
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (Producer<byte[], byte[]> made = new KafkaProducer<>(settings, bytes, bytes)) {
      producer = made;
      if (transaction > 0) {
        producer.initTransactions();
      }
      long number = 1;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        send(record(line, number++));
      }
      end();
    }
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    if (transaction > 0 && inTransaction == 0) {
      producer.beginTransaction();
    }
    producer.send(record, (written, exception) -> {
      if (exception != null && failure == null) {
        failure = exception;
      }
    });
    demandSuccess();
    inTransaction++;
    if (inTransaction == transaction) {
      end();
    }
  }

  /** Ends a transaction, or the whole where there are none. */
  private void end() {
    // Records that are aborted before they were sent would leave no trace.
    producer.flush();
    demandSuccess();
    boolean aborts = false;
    if (transaction > 0 && inTransaction > 0) {
      transactions++;
      aborts = abort > 0 && transactions % abort == 0;
      if (aborts) {
        producer.abortTransaction();
      } else {
        producer.commitTransaction();
      }
    }
    stored += aborts ? 0 : inTransaction;
    inTransaction = 0;
  }

  private void demandSuccess() {
    if (failure != null) {
      throw new IllegalStateException(topic + ": a record was not written: " + failure.getMessage(), failure);
    }
  }

  private ProducerRecord<byte[], byte[]> record(String line, long number) {
    String[] fields = line.split("\t", -1);
    if (fields.length < 4) {
      throw new IllegalArgumentException(
          "line " + number + ": " + fields.length + " columns, expected partition, timestamp, key, value");
    }
    try {
      Integer partition = fields[0].isEmpty() ? null : Integer.valueOf(fields[0]);
      Long timestamp = fields[1].isEmpty() ? null : Long.valueOf(fields[1]);
      return new ProducerRecord<>(topic, partition, timestamp, bytes(fields[2]), bytes(fields[3]), headers(fields));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
    }
  }

  private static List<Header> headers(String[] fields) {
    List<Header> headers = new ArrayList<>();
    for (int i = 4; i < fields.length; i++) {
      int at = fields[i].indexOf('=');
      if (at < 0) {
        throw new IllegalArgumentException("header " + fields[i] + ": expected name=value");
      }
      headers.add(new RecordHeader(fields[i].substring(0, at), bytes(fields[i].substring(at + 1))));
    }
    return headers;
  }

  private static byte[] bytes(String text) {
    if (text.equals("\\N")) {
      return null;
    }
    return text.startsWith("base64:")
        ? Base64.getDecoder().decode(text.substring("base64:".length()))
        : text.getBytes(StandardCharsets.UTF_8);
  }
}
