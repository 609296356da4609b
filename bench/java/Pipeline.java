import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.zip.CRC32;

/**
 * Rows of the log of recommendations from CSV to a key and values, as they are usually made in Java: the lines of a file,
 * cut at commas, the key with the bucket of its MD5, every value that is there as bytes. Prints for each way of making
 * the key its name, the CPU nanoseconds a row, and a digest of all keys and values.
 */
public class Pipeline {
    static final int TIME = 1, PHONE = 2, ID = 3;

    interface KeyOf { byte[] of(String time, String phone, String id) throws Exception; }

    /** Takes what is ready to be put. */
    interface Taker { void take(byte[] key, byte[][] values); }

    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[0]);
        int rounds = Integer.parseInt(args[1]);
        measure("tuned", file, rounds, Pipeline::tuned);
        measure("seed", file, rounds, Pipeline::seed);
    }

    static void measure(String name, Path file, int rounds, KeyOf keyOf) throws Exception {
        CRC32 crc = new CRC32();
        rows(file, keyOf, (key, values) -> {
            crc.update(key);
            for (byte[] value : values) if (value != null) crc.update(value);
        });
        double best = Double.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            long start = cpu();
            long count = rows(file, keyOf, (key, values) -> sink += key.length + values.length);
            best = Math.min(best, (double) (cpu() - start) / count);
        }
        System.out.printf(java.util.Locale.ROOT, "%s\t%.1f\t%08x%n", name, best, crc.getValue());
    }

    static long rows(Path file, KeyOf keyOf, Taker taker) throws Exception {
        long count = 0;
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            lines.readLine();
            for (String line; (line = lines.readLine()) != null; count++) {
                String[] cells = line.split(",", -1);
                byte[] key = keyOf.of(cells[TIME], cells[PHONE], cells[ID]);
                byte[][] values = new byte[cells.length][];
                for (int column = 0; column < cells.length; column++) {
                    boolean isInKey = column == TIME || column == PHONE || column == ID;
                    if (!isInKey && !cells[column].isEmpty()) values[column] = cells[column].getBytes(StandardCharsets.UTF_8);
                }
                taker.take(key, values);
            }
        }
        return count;
    }

    /** The recipe as it was posted. */
    static byte[] seed(String time, String phone, String id) throws Exception {
        String row = time + phone + id;
        byte[] digest = MessageDigest.getInstance("MD5").digest(row.getBytes(StandardCharsets.UTF_8));
        StringBuilder hex = new StringBuilder();
        for (byte b : digest) hex.append(String.format("%02x", b));
        int digit = hex.charAt(0);
        digit = digit < 97 ? digit - 48 : digit - 97 + 10;
        return (String.format("%3d", digit).replaceAll(" ", "0") + row).getBytes(StandardCharsets.UTF_8);
    }

    static final MessageDigest MD5;
    static {
        try { MD5 = MessageDigest.getInstance("MD5"); } catch (Exception e) { throw new RuntimeException(e); }
    }

    /** The same key in one array of its own, which a put keeps. */
    @SuppressWarnings("deprecation")
    static byte[] tuned(String time, String phone, String id) {
        byte[] key = new byte[3 + time.length() + phone.length() + id.length()];
        int at = 3;
        for (String part : new String[] {time, phone, id}) {
            part.getBytes(0, part.length(), key, at);
            at += part.length();
        }
        MD5.update(key, 3, at - 3);
        int bucket = (MD5.digest()[0] & 0xff) >>> 4;
        key[0] = '0';
        key[1] = (byte) ('0' + bucket / 10);
        key[2] = (byte) ('0' + bucket % 10);
        return key;
    }

    static long sink;

    /** CPU time of the whole process, garbage collector included. */
    static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
