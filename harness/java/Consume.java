import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Prints the committed records of a topic, partition after partition up to where it ended at the start, one a line with
 * tabs between, as Produce reads them with the offset in front:
 *
 * <pre>offset  partition  timestamp  key  value  [header=value ...]</pre>
 *
 * What does not stand in a line as text is printed as base64: and the bytes in base64, none as \N.
 *
 * <pre>Consume TOPIC [PROPERTY=VALUE ...]</pre>
 *
 * The properties are those of the consumer. Kafka's address is in client.properties on the class path.
 */
public final class Consume {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Consumer<byte[], byte[]> consumer;
  private final PrintStream out;

  private Consume(Consumer<byte[], byte[]> consumer, PrintStream out) {
    this.consumer = consumer;
    this.out = out;
  }

  public static void main(String[] args) throws IOException {
    if (args.length == 0) {
      throw new IllegalArgumentException("usage: Consume TOPIC [PROPERTY=VALUE ...]");
    }
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings(args), bytes, bytes);
        PrintStream out =
            new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, StandardCharsets.UTF_8)) {
      new Consume(consumer, out).printTopic(args[0]);
    }
  }

  private static Properties settings(String[] args) throws IOException {
    Properties settings = new Properties();
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", "false");
    settings.put("allow.auto.create.topics", "false");
    settings.put("auto.offset.reset", "none");
    try (InputStream in = Consume.class.getResourceAsStream("/client.properties")) {
      settings.load(in);
    }
    for (int i = 1; i < args.length; i++) {
      int at = args[i].indexOf('=');
      if (at < 0) {
        throw new IllegalArgumentException(args[i] + ": expected PROPERTY=VALUE");
      }
      settings.put(args[i].substring(0, at), args[i].substring(at + 1));
    }
    return settings;
  }

  private void printTopic(String topic) {
    List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
        .map(partition -> new TopicPartition(topic, partition.partition()))
        .sorted(Comparator.comparing(TopicPartition::partition))
        .toList();
    if (partitions.isEmpty()) {
      throw new IllegalArgumentException(topic + ": no such topic");
    }
    // Kafka's client warns of ends that it learns of partitions which are not assigned to it.
    consumer.assign(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    for (TopicPartition partition : partitions) {
      printPartition(partition, ends.get(partition));
    }
  }

  private void printPartition(TopicPartition partition, long end) {
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long position = consumer.position(partition);
    long progress = System.nanoTime();
    while (position < end) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(100));
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.offset() < end) {
          out.println(line(record));
        }
      }
      // It also passes the ends of transactions, which are no records.
      long reached = consumer.position(partition);
      if (reached > position) {
        position = reached;
        progress = System.nanoTime();
      } else if (System.nanoTime() - progress > PATIENCE.toNanos()) {
        throw new IllegalStateException(
            partition + ": no record from offset " + position + " on in a minute, expected up to " + end);
      }
    }
  }

  private static String line(ConsumerRecord<byte[], byte[]> record) {
    StringBuilder line = new StringBuilder()
        .append(record.offset()).append('\t')
        .append(record.partition()).append('\t')
        .append(record.timestamp()).append('\t')
        .append(text(record.key())).append('\t')
        .append(text(record.value()));
    for (Header header : record.headers()) {
      line.append('\t').append(header.key()).append('=').append(text(header.value()));
    }
    return line.toString();
  }

  private static String text(byte[] bytes) {
    if (bytes == null) {
      return "\\N";
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      boolean stands = text.chars().noneMatch(Character::isISOControl);
      if (stands && !text.equals("\\N") && !text.startsWith("base64:")) {
        return text;
      }
    } catch (CharacterCodingException e) {
      // Bytes that are not text.
    }
    return "base64:" + Base64.getEncoder().encodeToString(bytes);
  }
}
