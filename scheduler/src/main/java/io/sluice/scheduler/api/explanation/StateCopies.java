// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.agroal.api.AgroalDataSource;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.input.InputRows;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.OptionalLong;

/** Copies the committed state for previews and simulations, within bounds of memory and time. */
@Singleton
public class StateCopies {
  /** Approximate heap that a job takes in the copies of one preview or simulation. */
  static final long BYTES_PER_JOB = 1_000;

  private static final Duration CATCH_UP = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(20);

  private final CommittedView view;
  private final AgroalDataSource database;

  StateCopies(CommittedView view, AgroalDataSource database) {
    this.view = view;
    this.database = database;
  }

  /**
   * Refuses copies that would take the memory that decisions need.
   *
   * @param purpose noun for people, such as preview
   * @param heapParts the copies may take one of so many parts of the heap
   * @throws ProblemException 503 then
   */
  public void checkSize(String purpose, int heapParts) {
    long jobs = view.ask(state -> state.jobs().size()).value();
    checkSize(purpose, heapParts, jobs, Runtime.getRuntime().maxMemory());
  }

  static void checkSize(String purpose, int heapParts, long jobs, long heapBytes) {
    long most = heapBytes / heapParts / BYTES_PER_JOB;
    if (jobs > most) {
      throw new ProblemException(
          ProblemKind.OVERLOADED,
          "a %s would copy %d jobs, and a server with a heap of %d bytes copies %d: start it"
                  .formatted(purpose, jobs, heapBytes, most)
              + " with a larger heap (java -Xmx), or do without a "
              + purpose);
    }
  }

  /**
   * Copies the committed state once it includes the stored edits: checks read the rows and may name
   * objects that the view does not have yet.
   *
   * @throws ProblemException 503 if earlier edits do not take effect in time, or if the state
   *     changes too fast
   */
  public CommittedView.Answer<StateSnapshot> take() {
    catchUp();
    try {
      return view.copy();
    } catch (IllegalStateException overtaken) {
      throw new ProblemException(
          ProblemKind.OVERLOADED,
          "the state changes too fast to be copied: " + overtaken.getMessage());
    }
  }

  private void catchUp() {
    long begun = System.nanoTime();
    try {
      OptionalLong consumed = InputRows.editsConsumedBy(database);
      while (consumed.isEmpty() && System.nanoTime() - begun < CATCH_UP.toNanos()) {
        Thread.sleep(POLL.toMillis());
        consumed = InputRows.editsConsumedBy(database);
      }
      if (consumed.isPresent() && view.await(consumed.getAsLong(), CATCH_UP)) {
        return;
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    throw new ProblemException(
        ProblemKind.NOT_THERE_YET, "earlier edits have not taken effect yet");
  }
}
