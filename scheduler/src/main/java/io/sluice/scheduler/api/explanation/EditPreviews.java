// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.agroal.api.AgroalDataSource;
import io.sluice.admission.preview.Preview;
import io.sluice.admission.preview.Previewer;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.submission.WriteTransactions;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Previews edits, one at a time: writes the edit in a transaction that is rolled back, and applies
 * its inputs to copies of the committed state. The rounds of this server, if it leads, go on
 * meanwhile; followers preview in the same way.
 */
@Singleton
public class EditPreviews {
  /**
   * Approximate heap that a job takes in the copies, which together may take a third of the heap.
   */
  static final long BYTES_PER_JOB = 1_000;

  private static final int HEAP_PARTS = 3;

  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final Duration CATCH_UP = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(20);

  private final Semaphore free = new Semaphore(1);
  private final Clock clock = Clock.systemUTC();
  private final WriteTransactions transactions;
  private final CommittedView view;
  private final AgroalDataSource database;

  EditPreviews(WriteTransactions transactions, CommittedView view, AgroalDataSource database) {
    this.transactions = transactions;
    this.view = view;
    this.database = database;
  }

  /**
   * The result of an edit that was rolled back, and its effects.
   *
   * @param changes whether it changes anything
   * @param sequence of the last batch that both sides of the preview begin with
   */
  public record Previewed<T>(T written, boolean changes, Preview preview, long sequence) {}

  /**
   * Previews an edit.
   *
   * @param write takes part in a transaction that is rolled back; its exceptions are rethrown
   * @param asked the jobs whose outcome the preview is to contain
   * @throws ProblemException 503 if another preview is running, its copies would take too much
   *     memory, or earlier edits do not take effect in time
   */
  public <T> Previewed<T> of(Supplier<T> write, Function<T, List<JobId>> asked) {
    if (!free.tryAcquire()) {
      throw new ProblemException(
          ProblemKind.OVERLOADED, "a preview is being made, and no more than one at once");
    }
    try {
      checkSize(view.ask(state -> state.jobs().size()).value(), Runtime.getRuntime().maxMemory());
      WriteTransactions.Undone<T> undone = transactions.undo(write);
      catchUp();
      CommittedView.Answer<StateSnapshot> before = copy();
      List<Input> edit = undone.inputs();
      Preview preview = previewer(before.value()).preview(edit, asked.apply(undone.written()));
      return new Previewed<>(undone.written(), !edit.isEmpty(), preview, before.sequence());
    } finally {
      free.release();
    }
  }

  private CommittedView.Answer<StateSnapshot> copy() {
    try {
      return view.copy();
    } catch (IllegalStateException overtaken) {
      throw new ProblemException(
          ProblemKind.OVERLOADED,
          "the state changes too fast to be copied: " + overtaken.getMessage());
    }
  }

  /**
   * Refuses a preview whose copies would take the memory that decisions need.
   *
   * @param jobs number of jobs that have not ended
   * @param heapBytes maximum heap of this server
   * @throws ProblemException 503 then
   */
  static void checkSize(long jobs, long heapBytes) {
    if (jobs * BYTES_PER_JOB > heapBytes / HEAP_PARTS) {
      throw new ProblemException(
          ProblemKind.OVERLOADED,
          "a preview would copy %d jobs, and a server with a heap of %d bytes copies %d: start it"
                  .formatted(jobs, heapBytes, heapBytes / HEAP_PARTS / BYTES_PER_JOB)
              + " with a larger heap (java -Xmx), or apply the edit without a preview");
    }
  }

  private Previewer previewer(StateSnapshot snapshot) {
    long begun = System.nanoTime();
    return new Previewer(
        snapshot,
        view.policy(),
        clock.instant().truncatedTo(ChronoUnit.MICROS),
        () -> System.nanoTime() - begun < LONGEST.toNanos());
  }

  /**
   * Waits until the view includes the stored edits, because checks read the rows and may name
   * objects that the view does not have yet.
   */
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
