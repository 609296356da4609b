import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Writes cells that it reads from standard input, one a line with tabs between, in the form that Dump prints:
 *
 * <pre>row  family  qualifier  timestamp  type  value  [ttl in ms]</pre>
 *
 * Row, family, qualifier and value are in hex. The type is Put, Delete (that version), DeleteColumn, DeleteFamily or
 * DeleteFamilyVersion. Where the timestamp is '-' the server takes its clock. A time to live, of puts only, is stored
 * as a tag.
 *
 * <pre>Fill [--create FAMILY,...] [--versions N] [--splits HEX,...] TABLE</pre>
 *
 * --create makes the table first, each family with so many versions (all, unless told).
 */
public final class Fill {
  private static final HexFormat HEX = HexFormat.of();
  private static final int BATCH = 1000;

  private List<String> families = List.of();
  private byte[][] splits;
  private int versions = Integer.MAX_VALUE;
  private TableName table;

  public static void main(String[] args) throws IOException, InterruptedException {
    Fill fill = new Fill(args);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      if (!fill.families.isEmpty()) {
        fill.create(connection);
      }
      try (Table into = connection.getTable(fill.table);
          BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
        fill(into, in);
      }
    }
  }

  private Fill(String[] args) {
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--create" -> families = List.of(args[++i].split(","));
        case "--versions" -> versions = Integer.parseInt(args[++i]);
        case "--splits" ->
          splits = Arrays.stream(args[++i].split(",")).map(HEX::parseHex).toArray(byte[][]::new);
        default -> table = TableName.valueOf(args[i]);
      }
    }
    if (table == null) {
      throw new IllegalArgumentException(
          "usage: Fill [--create FAMILY,...] [--versions N] [--splits HEX,...] TABLE");
    }
  }

  private void create(Connection connection) throws IOException {
    TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(table);
    for (String family : families) {
      descriptor.setColumnFamily(family(family));
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(descriptor.build(), splits);
    }
  }

  private ColumnFamilyDescriptor family(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return ColumnFamilyDescriptorBuilder.newBuilder(bytes).setMaxVersions(versions).build();
  }

  private static void fill(Table into, BufferedReader in) throws IOException, InterruptedException {
    List<Row> batch = new ArrayList<>();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      batch.add(mutation(line.split("\t", -1)));
      if (batch.size() == BATCH) {
        write(into, batch);
      }
    }
    write(into, batch);
  }

  private static void write(Table into, List<Row> batch) throws IOException, InterruptedException {
    if (!batch.isEmpty()) {
      into.batch(batch, new Object[batch.size()]);
      batch.clear();
    }
  }

  private static Row mutation(String[] fields) throws IOException {
    Cell cell = CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(HEX.parseHex(fields[0]))
        .setFamily(HEX.parseHex(fields[1]))
        .setQualifier(HEX.parseHex(fields[2]))
        .setTimestamp(fields[3].equals("-") ? HConstants.LATEST_TIMESTAMP : Long.parseLong(fields[3]))
        .setType(Cell.Type.valueOf(fields[4]))
        .setValue(HEX.parseHex(fields[5]))
        .build();
    byte[] row = HEX.parseHex(fields[0]);
    if (cell.getType() != Cell.Type.Put) {
      return new Delete(row).add(cell);
    }
    Put put = new Put(row).add(cell);
    return fields.length > 6 ? put.setTTL(Long.parseLong(fields[6])) : put;
  }
}
