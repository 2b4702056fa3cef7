// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of a test's own, empty when it is made, on the one server of this JVM. Not durable.
 * {@link #close} deletes it; else it goes with the server at the end of the JVM.
 *
 * @param jdbcUrl of the database
 * @param user owns the database
 */
public record TestDatabase(String jdbcUrl, String user, String password) implements AutoCloseable {
  private static final String INSUFFICIENT_PRIVILEGE = "42501";
  private static final int TRIES_MAX = 100;
  private static final long PAUSE_MILLIS = 100;

  /** The first call in a JVM starts the server. */
  public static TestDatabase create() throws SQLException {
    String name = "test_" + UUID.randomUUID().toString().replace('-', '_');
    Sql server = server();
    server.execute("CREATE DATABASE " + name);
    return new TestDatabase(
        server.jdbcUrl().replaceFirst("(//[^/]+/)[^?]*", "$1" + name),
        server.user(),
        server.password());
  }

  /** Opens a connection for each request; whoever wants a pool makes one of it. */
  public DataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(jdbcUrl);
    source.setUser(user);
    source.setPassword(password);
    return source;
  }

  /** Also ends connections that are still open. */
  @Override
  public void close() throws SQLException {
    String name = jdbcUrl.replaceFirst(".*//[^/]+/([^?]*).*", "$1");
    for (int tries = 1; ; tries++) {
      try {
        server().execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
        return;
      } catch (SQLException refused) {
        // A worker of autovacuum is the server's own: nobody else may end it, but it soon ends.
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
   * From the system's class loader, because there is one: test frameworks load this class again in
   * loaders of their own, which are closed before the server is to be stopped.
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
