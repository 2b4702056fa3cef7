// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.sluice.queuemodel.event.Input;
import io.sluice.scheduler.store.quota.QuotaObjectRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.function.Supplier;

/** Runs writes in one transaction, and commits it or rolls it back. */
@ApplicationScoped
public class WriteTransactions {
  private static final int TRIES_MAX = 5;

  private final QuotaObjectRepository rows;

  WriteTransactions(QuotaObjectRepository rows) {
    this.rows = rows;
  }

  /**
   * The result of writes that were rolled back, as in a dry run.
   *
   * @param inputs that the engine would have received, as it would have read them
   */
  public record Undone<T>(T written, List<Input> inputs) {}

  /**
   * Writes and commits.
   *
   * @param write takes part in the transaction; may be called several times
   * @throws RefusedException also if concurrent transactions came first too often
   */
  public <T> T keep(Supplier<T> write) {
    return repeatedly(
        () -> {
          boolean done = false;
          QuarkusTransaction.begin();
          try {
            T written = write.get();
            done = true;
            return written;
          } finally {
            end(done);
          }
        });
  }

  /**
   * Writes and rolls back: refuses everything that a real write would refuse.
   *
   * @param write as in {@link #keep}
   */
  public <T> Undone<T> undo(Supplier<T> write) {
    return repeatedly(
        () -> {
          QuarkusTransaction.begin();
          try {
            T written = write.get();
            return new Undone<>(written, rows.inputsOfTransaction());
          } finally {
            QuarkusTransaction.rollback();
          }
        });
  }

  private static void end(boolean done) {
    if (done) {
      QuarkusTransaction.commit();
    } else {
      QuarkusTransaction.rollback();
    }
  }

  private static <T> T repeatedly(Supplier<T> transaction) {
    for (int number = 1; ; number++) {
      try {
        return transaction.get();
      } catch (OvertakenException overtaken) {
        if (number == TRIES_MAX) {
          throw new RefusedException(
              RefusedException.Kind.OVERLOADED, String.valueOf(overtaken.getMessage()));
        }
      }
    }
  }
}
