import java.io.IOException;

import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;

/**
 * Grants a user actions on tables.
 *
 * <pre>Grant USER ACTIONS TABLE …</pre>
 *
 * ACTIONS are letters of RWXCA. It takes a cluster with access control, and a user who may grant.
 */
public final class Grant {
    private Grant() {
    }

    public static void main(String[] arguments) throws Throwable {
        Permission.Action[] actions = new Permission.Action[arguments[1].length()];
        for (int at = 0; at < actions.length; at++) {
            actions[at] = action(arguments[1].charAt(at));
        }
        try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
            for (int at = 2; at < arguments.length; at++) {
                AccessControlClient.grant(
                        connection, TableName.valueOf(arguments[at]), arguments[0], null, null, actions);
            }
        }
    }

    private static Permission.Action action(char letter) throws IOException {
        for (Permission.Action action : Permission.Action.values()) {
            if (action.code() == letter) {
                return action;
            }
        }
        throw new IOException("no action: " + letter);
    }
}
