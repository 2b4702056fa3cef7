// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.agroal.api.AgroalDataSource;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.narayana.jta.QuarkusTransactionException;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs repositories and JDBC statements in one transaction. Within it, Hibernate and the data
 * source hand out the same connection to PostgreSQL, so there is one commit.
 *
 * <p>Hibernate does not see what JDBC statements write, and writes its own changes when it is
 * flushed. Repositories therefore flush each change at once and keep no entity in the session.
 */
@Singleton
public final class SharedTransactions {
  private final AgroalDataSource database;

  SharedTransactions(AgroalDataSource database) {
    this.database = database;
  }

  /**
   * Runs work in a transaction of its own, and commits it unless the work throws.
   *
   * @param failed message for people if the database does not answer: the operation that failed
   * @throws TransientStoreException if the database does not answer; nothing was written, unless
   *     the answer to the commit was lost
   * @throws UnstorableException if the database refuses a value, as it would again
   */
  public <T> T run(String failed, OneTransaction<T> work) {
    return translating(
        failed, () -> QuarkusTransaction.requiringNew().call(() -> onConnection(work)));
  }

  /** As {@link #run(String, OneTransaction)}, for work that only uses repositories. */
  public <T> T run(String failed, Supplier<T> work) {
    return translating(failed, () -> QuarkusTransaction.requiringNew().call(work::get));
  }

  /** As {@link #run(String, OneTransaction)}, but joins the transaction of the thread. */
  public <T> T join(String failed, OneTransaction<T> work) {
    return translating(
        failed, () -> QuarkusTransaction.joiningExisting().call(() -> onConnection(work)));
  }

  private static <T> T translating(String failed, Supplier<T> transaction) {
    try {
      return transaction.get();
    } catch (StoreException known) {
      throw known;
    } catch (RuntimeException failure) {
      SQLException cause = causeOf(failure);
      if (cause != null) {
        throw SqlState.translated(failed, cause);
      }
      throw failure instanceof QuarkusTransactionException
          ? new TransientStoreException(failed, failure)
          : failure;
    }
  }

  /** The connection belongs to the transaction and is closed with it. */
  private <T> T onConnection(OneTransaction<T> work) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return work.in(connection);
    }
  }

  private static @Nullable SQLException causeOf(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof SQLException)) {
      cause = cause.getCause();
    }
    return (SQLException) cause;
  }
}
