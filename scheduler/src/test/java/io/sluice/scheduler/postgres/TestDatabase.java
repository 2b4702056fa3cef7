// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An empty database of one test on the JVM's shared server, without durability. {@link #close}
 * deletes it; otherwise it ends with the server.
 *
 * @param jdbcUrl of the database
 * @param user owner of the database
 */
public record TestDatabase(String jdbcUrl, String user, String password) implements AutoCloseable {
  private static final String INSUFFICIENT_PRIVILEGE = "42501";
  private static final int TRIES_MAX = 100;
  private static final long PAUSE_MILLIS = 100;

  /** Creates a database; the first call in a JVM starts the server. */
  public static TestDatabase create() throws SQLException {
    String name = "test_" + UUID.randomUUID().toString().replace('-', '_');
    Sql server = server();
    server.execute("CREATE DATABASE " + name);
    return new TestDatabase(
        server.jdbcUrl().replaceFirst("(//[^/]+/)[^?]*", "$1" + name),
        server.user(),
        server.password());
  }

  /** Returns a data source without a pool. */
  public DataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(jdbcUrl);
    source.setUser(user);
    source.setPassword(password);
    return source;
  }

  /** {@inheritDoc} Also ends open connections. */
  @Override
  public void close() throws SQLException {
    String name = jdbcUrl.replaceFirst(".*//[^/]+/([^?]*).*", "$1");
    for (int tries = 1; ; tries++) {
      try {
        server().execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
        return;
      } catch (SQLException refused) {
        // A client must not end an autovacuum worker, which soon ends by itself.
        if (!INSUFFICIENT_PRIVILEGE.equals(refused.getSQLState()) || tries == TRIES_MAX) {
          throw refused;
        }
        pause();
      }
    }
  }

  private static void pause() throws SQLException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted", interrupted);
    }
  }

  /**
   * Loads the server class by the system's class loader, which exists once: test frameworks load
   * this class again in loaders that they close before the server is stopped.
   */
  private static Sql server() {
    try {
      List<?> address =
          (List<?>)
              Class.forName(TestServer.class.getName(), true, ClassLoader.getSystemClassLoader())
                  .getMethod("address")
                  .invoke(null);
      return new Sql((String) address.get(0), (String) address.get(1), (String) address.get(2));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no server for tests", e);
    }
  }
}
