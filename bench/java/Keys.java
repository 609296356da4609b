import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.DecimalFormat;
import java.util.zip.CRC32;

/** The keys of the recipes as they are usually written in Java, and tuned by hand: CPU nanoseconds a key, and a digest of all keys. */
public class Keys {
    static final int ROWS = 65_536;
    static final String[] PHONES = new String[ROWS], TIMES = new String[ROWS], IDS = new String[ROWS];
    static final long[] USERS = new long[ROWS], MILLIS = new long[ROWS], NANOS = new long[ROWS];

    interface Shape { byte[] key(int i) throws Exception; }

    public static void main(String[] args) throws Exception {
        rows();
        print("A seed", Keys::seedA);
        print("A tuned", Keys::tunedA);
        print("B seed", Keys::seedB);
        print("C seed", i -> (USERS[i] + "_" + (Long.MAX_VALUE - MILLIS[i]) + "_" + NANOS[i]).getBytes(StandardCharsets.UTF_8));
        print("D seed", i -> (new StringBuilder(Long.toString(USERS[i])).reverse().toString() + (Long.MAX_VALUE - MILLIS[i])).getBytes(StandardCharsets.UTF_8));
        print("E seed", i -> (String.format("%02d", i % 100) + USERS[i] + TIMES[i].substring(0, 8) + NANOS[i]).getBytes(StandardCharsets.UTF_8));
    }

    /** The same rows as the Rust side: a splitmix generator with a fixed seed. */
    static void rows() {
        long state = 42;
        for (int i = 0; i < ROWS; i++) {
            long[] r = new long[4];
            for (int k = 0; k < 4; k++) {
                state += 0x9e3779b97f4a7c15L;
                long z = state;
                z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
                z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
                r[k] = z ^ (z >>> 31);
            }
            PHONES[i] = String.format("138%08d", Long.remainderUnsigned(r[0], 100_000_000L));
            TIMES[i] = "20200406" + String.format("%02d%02d%02d", Long.remainderUnsigned(r[1], 24), Long.remainderUnsigned(r[1] >>> 16, 60), Long.remainderUnsigned(r[1] >>> 32, 60));
            IDS[i] = String.format("%016x", r[2]);
            USERS[i] = 1_000_000_000L + Long.remainderUnsigned(r[0], 1_000_000_000L);
            MILLIS[i] = 1_586_131_200_000L + Long.remainderUnsigned(r[1], 86_400_000L);
            NANOS[i] = 1_000_000_000_000L + Long.remainderUnsigned(r[3], 1_000_000_000_000L);
        }
    }

    static byte[] seedA(int i) throws Exception {
        String row = TIMES[i] + PHONES[i] + IDS[i];
        byte[] digest = MessageDigest.getInstance("MD5").digest(row.getBytes(StandardCharsets.UTF_8));
        StringBuilder hex = new StringBuilder();
        for (byte b : digest) hex.append(String.format("%02x", b));
        int digit = hex.charAt(0);
        digit = digit < 97 ? digit - 48 : digit - 97 + 10;
        return (String.format("%3d", digit).replaceAll(" ", "0") + row).getBytes(StandardCharsets.UTF_8);
    }

    static final byte[][] PREFIX = new byte[16][];
    static final byte[] BUFFER = new byte[64];
    static final MessageDigest MD5;
    static {
        try { MD5 = MessageDigest.getInstance("MD5"); } catch (Exception e) { throw new RuntimeException(e); }
        for (int i = 0; i < 16; i++) PREFIX[i] = String.format("%03d", i).getBytes(StandardCharsets.US_ASCII);
    }

    @SuppressWarnings("deprecation")
    static byte[] tunedA(int i) throws Exception {
        int at = 3;
        TIMES[i].getBytes(0, 14, BUFFER, at); at += 14;
        PHONES[i].getBytes(0, 11, BUFFER, at); at += 11;
        IDS[i].getBytes(0, 16, BUFFER, at); at += 16;
        MD5.update(BUFFER, 3, at - 3);
        byte[] prefix = PREFIX[(MD5.digest()[0] & 0xff) >>> 4];
        System.arraycopy(prefix, 0, BUFFER, 0, 3);
        return BUFFER;
    }

    static byte[] seedB(int i) {
        String tel = PHONES[i], date = TIMES[i];
        int crc = Math.abs(tel.substring(tel.length() - 4).hashCode() ^ date.substring(0, 6).hashCode());
        StringBuffer pattern = new StringBuffer();
        for (int k = 0; k < 1; k++) pattern.append("0");
        return (new DecimalFormat(pattern.toString()).format(crc % 6) + "_" + tel + "_" + date).getBytes(StandardCharsets.UTF_8);
    }

    static void print(String name, Shape shape) throws Exception {
        int length = name.startsWith("A") ? 44 : -1;
        CRC32 crc = new CRC32();
        for (int i = 0; i < ROWS; i++) { byte[] key = shape.key(i); crc.update(key, 0, length < 0 ? key.length : length); }
        long digest = crc.getValue();
        long warm = System.nanoTime();
        while (System.nanoTime() - warm < 1_500_000_000L) round(shape);
        double best = Double.MAX_VALUE;
        for (int r = 0; r < 5; r++) {
            long start = cpu();
            int rounds = 0;
            while (cpu() - start < 200_000_000L) { round(shape); rounds++; }
            best = Math.min(best, (double) (cpu() - start) / ((long) rounds * ROWS));
        }
        System.out.printf(java.util.Locale.ROOT, "%s\t%.2f\t%08x%n", name, best, digest);
    }

    static long sink;
    /** Rows that fit the smallest cache, as a loader's next row does: the same ones on the Rust side. */
    static void round(Shape shape) throws Exception { for (int i = 0; i < ROWS; i++) sink += shape.key(i & 63)[5]; }

    /** CPU time of the whole process, garbage collector included. */
    static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
