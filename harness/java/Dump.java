import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;

/**
 * Prints every cell of a table, as scanned, one a line with tabs between:
 *
 * <pre>row  family  qualifier  timestamp  type  value  [tags]</pre>
 *
 * Row, family, qualifier, value and tags are in hex; tags are as they are stored: length (2 bytes), type, bytes.
 *
 * <pre>
 * Dump [--versions N|all] [--raw] [--start HEX] [--stop HEX] TABLE
 * Dump --tables
 * </pre>
 *
 * --raw shows markers of deletes too, and all versions; --tables prints the names of all tables.
 */
public final class Dump {
  private static final HexFormat HEX = HexFormat.of();

  private final Scan scan = new Scan();
  private String table;
  private boolean tables;

  public static void main(String[] args) throws IOException {
    Dump dump = new Dump(args);
    Configuration conf = HBaseConfiguration.create();
    // HBase's default leaves the tags out.
    conf.set(HConstants.RPC_CODEC_CONF_KEY, KeyValueCodecWithTags.class.getName());
    try (Connection connection = ConnectionFactory.createConnection(conf);
        PrintStream out =
            new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, StandardCharsets.UTF_8)) {
      if (dump.tables) {
        for (TableName name : connection.getAdmin().listTableNames()) {
          out.println(name.getNameAsString());
        }
      } else {
        dump.printCells(connection, out);
      }
    }
  }

  private Dump(String[] args) {
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--tables" -> tables = true;
        case "--raw" -> scan.setRaw(true).readAllVersions();
        case "--versions" -> readVersions(args[++i]);
        case "--start" -> scan.withStartRow(HEX.parseHex(args[++i]));
        case "--stop" -> scan.withStopRow(HEX.parseHex(args[++i]));
        default -> table = args[i];
      }
    }
    if (table == null && !tables) {
      throw new IllegalArgumentException(
          "usage: Dump [--versions N|all] [--raw] [--start HEX] [--stop HEX] TABLE | Dump --tables");
    }
  }

  private void readVersions(String versions) {
    if (versions.equals("all")) {
      scan.readAllVersions();
    } else {
      scan.readVersions(Integer.parseInt(versions));
    }
  }

  private void printCells(Connection connection, PrintStream out) throws IOException {
    try (Table from = connection.getTable(TableName.valueOf(table)); ResultScanner rows = from.getScanner(scan)) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          out.println(line(cell));
        }
      }
    }
  }

  private static String line(Cell cell) {
    String fields = String.join("\t",
        HEX.formatHex(CellUtil.cloneRow(cell)),
        HEX.formatHex(CellUtil.cloneFamily(cell)),
        HEX.formatHex(CellUtil.cloneQualifier(cell)),
        Long.toString(cell.getTimestamp()),
        cell.getType().name(),
        HEX.formatHex(CellUtil.cloneValue(cell)));
    byte[] tags = PrivateCellUtil.cloneTags(cell);
    return tags.length == 0 ? fields : fields + "\t" + HEX.formatHex(tags);
  }
}
