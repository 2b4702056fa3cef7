// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.sluice.queuemodel.event.Input;
import io.sluice.scheduler.store.quota.QuotaObjectRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.function.Supplier;

/** Makes what is to be written one transaction, which is kept or undone. */
@ApplicationScoped
public class WriteTransactions {
  private static final int TRIES_MAX = 5;

  private final QuotaObjectRepository rows;

  WriteTransactions(QuotaObjectRepository rows) {
    this.rows = rows;
  }

  /**
   * What was written and undone.
   *
   * @param inputs that it would have told the engine, as the engine would have read them
   */
  public record Undone<T>(T written, List<Input> inputs) {}

  /**
   * Writes.
   *
   * @param write takes part in the transaction; may be called several times
   * @throws RefusedException also if others came first again and again
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
   * Writes and undoes it: whatever would be refused is refused.
   *
   * @param write as of {@link #keep}
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
