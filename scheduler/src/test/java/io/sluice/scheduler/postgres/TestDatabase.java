// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of one test on the JVM's shared server, without durability. {@link #close} deletes it;
 * otherwise it ends with the server.
 *
 * @param jdbcUrl of the database
 * @param user owner of the database
 */
public record TestDatabase(String jdbcUrl, String user, String password) implements AutoCloseable {
  private static final String INSUFFICIENT_PRIVILEGE = "42501";
  private static final int TRIES_MAX = 100;
  private static final long PAUSE_MILLIS = 100;

  /** Creates an empty database; the first call in a JVM starts the server. */
  public static TestDatabase create() throws SQLException {
    return create("");
  }

  /**
   * Creates a database with the current schema. It is a copy of one that is migrated once in a JVM,
   * because all migrations take ten times as long as a copy.
   */
  public static TestDatabase migrated() throws SQLException {
    return create(" TEMPLATE " + ask("migratedTemplate"));
  }

  private static TestDatabase create(String options) throws SQLException {
    String name = "test_" + UUID.randomUUID().toString().replace('-', '_');
    Sql server = server();
    server.execute("CREATE DATABASE " + name + options);
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

  private static Sql server() {
    List<?> address = (List<?>) ask("address");
    return new Sql((String) address.get(0), (String) address.get(1), (String) address.get(2));
  }

  /**
   * Asks the server class of the system's class loader, which exists once: test frameworks load
   * this class again in loaders that they close before the server is stopped.
   */
  private static Object ask(String method) {
    try {
      Class<?> server =
          Class.forName(TestServer.class.getName(), true, ClassLoader.getSystemClassLoader());
      return Objects.requireNonNull(server.getMethod(method).invoke(null));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no server for tests", e);
    }
  }
}
