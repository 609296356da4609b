import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** HBase's own client, asked line by line: see src/peer.rs for what, src/rows.rs for the file of rows. */
public final class Client {
  private static final byte[] FAMILY = {'f'};
  private static final long TIME = 1_400_657_685_457L;
  private static final int ABSENT = 0xffff;

  private final com.sun.management.OperatingSystemMXBean system =
      (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final Configuration conf = HBaseConfiguration.create();
  private final Connection connection;
  private AsyncConnection async;

  private final byte[] data;
  private final byte[][] columns;
  private final int[] starts;

  public static void main(String[] args) throws Exception {
    Client client = new Client(Path.of(args[0]));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String answer;
      try {
        answer = client.answer(line.split(" "));
      } catch (Exception error) {
        answer = "failed: " + error.toString().replace('\n', ' ');
      }
      client.out.println(answer);
    }
    System.exit(0);
  }

  private Client(Path rows) throws IOException {
    data = Files.readAllBytes(rows);
    ByteBuffer buffer = ByteBuffer.wrap(data);
    columns = new byte[buffer.getInt()][];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new byte[buffer.getShort() & 0xffff];
      buffer.get(columns[i]);
    }
    starts = new int[buffer.getInt()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = buffer.position();
      for (int j = 0; j <= columns.length; j++) {
        int length = buffer.getShort() & 0xffff;
        buffer.position(buffer.position() + (length == ABSENT ? 0 : length));
      }
    }
    connection = ConnectionFactory.createConnection(conf);
  }

  private String answer(String[] words) throws Exception {
    switch (words[0]) {
      case "create":
        return create(TableName.valueOf(words[1]), Integer.parseInt(words[2]));
      case "drop":
        return drop(TableName.valueOf(words[1]));
      case "flush":
        return flush(TableName.valueOf(words[1]));
      case "digest":
        return digest(TableName.valueOf(words[1]));
      default:
        return measured(words);
    }
  }

  private String measured(String[] words) throws Exception {
    long cpu = system.getProcessCpuTime();
    long wall = System.nanoTime();
    String answer = switch (words[0]) {
      case "load" -> load(TableName.valueOf(words[2]), Long.parseLong(words[3]));
      case "scan" -> scan(TableName.valueOf(words[1]));
      case "get" -> get(words[1], TableName.valueOf(words[2]), Integer.parseInt(words[3]), Integer.parseInt(words[4]));
      default -> throw new IllegalArgumentException("not understood: " + words[0]);
    };
    return answer + " cpu_ns=" + (system.getProcessCpuTime() - cpu) + " wall_ns=" + (System.nanoTime() - wall);
  }

  /** Cut as RegionSplitter's HexStringSplit does for 2, 4, 8 or 16 regions. */
  private String create(TableName table, int regions) throws IOException {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = String.format("%08x", (1L << 32) / regions * i).getBytes(StandardCharsets.UTF_8);
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(TableDescriptorBuilder.newBuilder(table)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build(), splits);
    }
    return "";
  }

  private String drop(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(table);
      admin.deleteTable(table);
    }
    return "";
  }

  private String flush(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
    }
    return "";
  }

  private String load(TableName table, long bufferBytes) throws Exception {
    AtomicReference<Exception> failed = new AtomicReference<>();
    BufferedMutatorParams params = new BufferedMutatorParams(table)
        .writeBufferSize(bufferBytes)
        .listener((RetriesExhaustedWithDetailsException error, BufferedMutator mutator) -> failed.set(error));
    try (BufferedMutator mutator = connection.getBufferedMutator(params)) {
      for (int start : starts) {
        mutator.mutate(put(start));
      }
    }
    if (failed.get() != null) {
      throw failed.get();
    }
    return "rows=" + starts.length;
  }

  private Put put(int start) {
    int at = start;
    int length = length(at);
    Put put = new Put(data, at + 2, length);
    at += 2 + length;
    for (byte[] column : columns) {
      length = length(at);
      at += 2;
      if (length != ABSENT) {
        put.addColumn(FAMILY, column, TIME, Arrays.copyOfRange(data, at, at + length));
        at += length;
      }
    }
    return put;
  }

  private int length(int at) {
    return (data[at] & 0xff) << 8 | data[at + 1] & 0xff;
  }

  private String scan(TableName name) throws IOException {
    Seen seen = new Seen();
    try (Table table = connection.getTable(name); ResultScanner rows = table.getScanner(wide())) {
      for (Result row : rows) {
        seen.lookAt(row);
      }
    }
    return seen.toString();
  }

  private String digest(TableName name) throws IOException {
    Seen seen = new Seen();
    CRC32 crc = new CRC32();
    ByteBuffer time = ByteBuffer.allocate(8);
    try (Table table = connection.getTable(name); ResultScanner rows = table.getScanner(wide())) {
      for (Result row : rows) {
        seen.lookAt(row);
        for (Cell cell : row.rawCells()) {
          crc.update(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
          crc.update(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
          crc.update(time.putLong(0, cell.getTimestamp()).array());
          crc.update(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
        }
      }
    }
    return seen + " crc=" + crc.getValue();
  }

  /** As many rows at once as fit into 2 MiB: the defaults, said aloud. */
  private static Scan wide() {
    return new Scan().setMaxResultSize(2 << 20);
  }

  private String get(String way, TableName table, int inFlight, int count) throws Exception {
    Seen seen = way.equals("async") ? getAsync(table, inFlight, count) : getByThreads(table, inFlight, count);
    Arrays.sort(seen.latencies);
    return seen + " p50_ns=" + seen.latencies[count / 2] + " p99_ns=" + seen.latencies[(int) (count * 99L / 100)];
  }

  private Seen getByThreads(TableName name, int inFlight, int count) throws Exception {
    Seen all = new Seen();
    all.latencies = new long[count];
    AtomicInteger next = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(inFlight);
    try {
      List<Future<Seen>> parts = new ArrayList<>();
      for (int i = 0; i < inFlight; i++) {
        Callable<Seen> part = () -> {
          Seen seen = new Seen();
          try (Table table = connection.getTable(name)) {
            for (int at = next.getAndIncrement(); at < count; at = next.getAndIncrement()) {
              long begun = System.nanoTime();
              Result row = table.get(new Get(key(at)));
              all.latencies[at] = System.nanoTime() - begun;
              seen.lookAt(row);
            }
          }
          return seen;
        };
        parts.add(threads.submit(part));
      }
      for (Future<Seen> part : parts) {
        all.add(part.get());
      }
    } finally {
      threads.shutdown();
    }
    return all;
  }

  private Seen getAsync(TableName name, int inFlight, int count) throws Exception {
    if (async == null) {
      async = ConnectionFactory.createAsyncConnection(conf).get();
    }
    AsyncTable<?> table = async.getTable(name);
    Seen all = new Seen();
    all.latencies = new long[count];
    AtomicInteger next = new AtomicInteger();
    List<CompletableFuture<Void>> chains = new ArrayList<>();
    for (int i = 0; i < inFlight; i++) {
      CompletableFuture<Void> chain = new CompletableFuture<>();
      chains.add(chain);
      getNext(table, next, count, all, chain);
    }
    for (CompletableFuture<Void> chain : chains) {
      chain.get();
    }
    return all;
  }

  private void getNext(AsyncTable<?> table, AtomicInteger next, int count, Seen all, CompletableFuture<Void> chain) {
    int at = next.getAndIncrement();
    if (at >= count) {
      chain.complete(null);
      return;
    }
    long begun = System.nanoTime();
    table.get(new Get(key(at))).whenComplete((row, error) -> {
      if (error != null) {
        chain.completeExceptionally(error);
        return;
      }
      all.latencies[at] = System.nanoTime() - begun;
      synchronized (all) {
        all.lookAt(row);
      }
      getNext(table, next, count, all, chain);
    });
  }

  /** The key of the row that a get is for. */
  private byte[] key(int at) {
    int start = starts[(int) ((at * 48_271L + 11) % starts.length)];
    return Arrays.copyOfRange(data, start + 2, start + 2 + length(start));
  }

  /** What was read. */
  private static final class Seen {
    private long rows;
    private long cells;
    private long bytes;
    private long[] latencies;

    private void lookAt(Result row) {
      rows += row.isEmpty() ? 0 : 1;
      if (!row.isEmpty()) {
        for (Cell cell : row.rawCells()) {
          cells++;
          bytes += cell.getQualifierLength() + cell.getValueLength();
        }
      }
    }

    private void add(Seen other) {
      rows += other.rows;
      cells += other.cells;
      bytes += other.bytes;
    }

    @Override
    public String toString() {
      return "rows=" + rows + " cells=" + cells + " bytes=" + bytes;
    }
  }
}
