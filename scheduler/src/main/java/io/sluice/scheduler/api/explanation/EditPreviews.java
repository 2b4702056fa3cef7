// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.preview.Preview;
import io.sluice.admission.preview.Previewer;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.submission.WriteTransactions;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Previews edits, one at a time: writes the edit in a transaction that is rolled back, and applies
 * its inputs to copies of the committed state. The rounds of this server, if it leads, go on
 * meanwhile; followers preview in the same way.
 */
@Singleton
public class EditPreviews {
  private static final int HEAP_PARTS = 3;

  private static final Duration LONGEST = Duration.ofSeconds(20);

  /** A week, and little beside the time of the preview itself. */
  private static final ProjectedEdit.Reach REACH =
      new ProjectedEdit.Reach(Duration.ofDays(7), Duration.ofSeconds(3));

  private final Semaphore free = new Semaphore(1);
  private final Clock clock = Clock.systemUTC();
  private final WriteTransactions transactions;
  private final CommittedView view;
  private final StateCopies copies;

  EditPreviews(WriteTransactions transactions, CommittedView view, StateCopies copies) {
    this.transactions = transactions;
    this.view = view;
    this.copies = copies;
  }

  /**
   * The result of an edit that was rolled back, and its effects.
   *
   * @param starts which jobs it would start when, and displace; null if it changes nothing
   * @param sequence of the last batch that both sides of the preview begin with
   */
  public record Previewed<T>(
      T written, Preview preview, @Nullable ProjectedEdit starts, long sequence) {
    /** Returns whether it changes anything. */
    public boolean changes() {
      return starts != null;
    }
  }

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
      copies.checkSize("preview", HEAP_PARTS);
      WriteTransactions.Undone<T> undone = transactions.undo(write);
      CommittedView.Answer<StateSnapshot> before = copies.take();
      List<Input> edit = undone.inputs();
      Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
      StateSnapshot state = before.value();
      Preview preview = previewer(state, now).preview(edit, asked.apply(undone.written()));
      ProjectedEdit starts =
          edit.isEmpty()
              ? null
              : ProjectedEdit.of(state, view.policy(), now, edit, List.of(), REACH);
      return new Previewed<>(undone.written(), preview, starts, before.sequence());
    } finally {
      free.release();
    }
  }

  private Previewer previewer(StateSnapshot snapshot, Instant now) {
    long begun = System.nanoTime();
    return new Previewer(
        snapshot, view.policy(), now, () -> System.nanoTime() - begun < LONGEST.toNanos());
  }
}
