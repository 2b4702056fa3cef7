// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose connections break during a commit, before or after it takes effect, so that
 * the client does not know the outcome.
 */
final class UnsureDatabase implements DataSource, AutoCloseable {
  private static final int LATE_MILLIS = 1_500;

  /** The fate of a commit. */
  enum Fate {
    COMMITS,
    BREAKS_BEFORE,
    BREAKS_AFTER,
    /** The connection breaks during the commit, which takes effect later. */
    BREAKS_MEANWHILE
  }

  private final DataSource database;
  private final Supplier<Fate> fates;
  private final AtomicInteger broken = new AtomicInteger();
  private final Set<Connection> late = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();

  UnsureDatabase(DataSource database, Supplier<Fate> fates) {
    this.database = database;
    this.fates = fates;
  }

  /** Ends the delayed commits. */
  @Override
  public void close() {
    later.shutdown();
    try {
      if (!later.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new AssertionError("a commit does not end");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the number of broken commits. */
  int broken() {
    return broken.get();
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = database.getConnection();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("commit")) {
            commit(connection);
            return null;
          }
          if (late.contains(connection)) {
            // The client has given it up; the session continues by itself.
            return refuse(method.getName());
          }
          try {
            return method.invoke(connection, arguments);
          } catch (InvocationTargetException failure) {
            throw failure.getTargetException();
          }
        };
    return (Connection)
        Proxy.newProxyInstance(
            UnsureDatabase.class.getClassLoader(), new Class<?>[] {Connection.class}, handler);
  }

  private static @Nullable Object refuse(String method) throws SQLException {
    return switch (method) {
      case "close" -> null;
      case "isClosed" -> true;
      default -> throw new SQLException("the connection is broken", "08003");
    };
  }

  private void commit(Connection connection) throws SQLException {
    Fate fate = fates.get();
    if (fate == Fate.BREAKS_MEANWHILE) {
      broken.incrementAndGet();
      commitLater(connection);
      throw new SQLException("the connection broke during a commit", "08006");
    }
    if (fate != Fate.BREAKS_BEFORE) {
      connection.commit();
    }
    if (fate != Fate.COMMITS) {
      broken.incrementAndGet();
      connection.abort(Runnable::run);
      throw new SQLException("the connection broke at a commit", "08006");
    }
  }

  private void commitLater(Connection connection) {
    late.add(connection);
    Future<?> unused =
        later.schedule(
            () -> {
              connection.commit();
              late.remove(connection);
              connection.close();
              return true;
            },
            LATE_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing of " + type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
