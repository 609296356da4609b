import java.io.IOException;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.ThrottleType;

/**
 * Gives a table a quota: so many writes a second, on each region server.
 *
 * <pre>Throttle TABLE WRITES</pre>
 *
 * Servers learn of it when they next look, every hbase.quota.refresh.period.
 */
public final class Throttle {
    private Throttle() {
    }

    public static void main(String[] arguments) throws IOException {
        TableName table = TableName.valueOf(arguments[0]);
        long writes = Long.parseLong(arguments[1]);
        try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
                Admin admin = connection.getAdmin()) {
            admin.setQuota(
                    QuotaSettingsFactory.throttleTable(table, ThrottleType.WRITE_NUMBER, writes, TimeUnit.SECONDS));
        }
    }
}
