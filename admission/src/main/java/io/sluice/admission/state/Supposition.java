// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Has the state look as if something were otherwise, for whoever looks for free room: quota and
 * slices. Closed, it leaves the state as it was; of several the last is closed first.
 */
public final class Supposition implements AutoCloseable {
  private final AdmissionState state;
  private final QuotaLedger ledger;
  private final UsageTrial held;
  private final UsageTrial promised;
  private final @Nullable Supposition within;
  private final SortedMap<AttemptKey, Usage> supposed = new TreeMap<>();
  private final Deque<Runnable> undo = new ArrayDeque<>();

  /** Supposes nothing yet. */
  public Supposition(AdmissionState state) {
    this(state, null);
  }

  /**
   * Supposes nothing more yet.
   *
   * @param within what is supposed already; null: nothing is
   */
  public Supposition(AdmissionState state, @Nullable Supposition within) {
    this.state = state;
    this.ledger = state.ledger();
    this.held = new UsageTrial(ledger.held());
    this.promised = new UsageTrial(ledger.promised());
    this.within = within;
  }

  /** As if all that is to end had ended, unless it is overdue, and all let go of were free. */
  public void drained() {
    for (Attempt attempt : state.attempts()) {
      if (attempt.leaving()) {
        gone(attempt);
      } else if (!attempt.settled()) {
        settled(attempt);
      }
    }
  }

  /** What an attempt that is not to end is on, as far as is supposed; null: nothing is. */
  private @Nullable Usage supposed(Attempt attempt) {
    Usage known = supposed.get(attempt.key());
    return known == null && within != null ? within.supposed(attempt) : known;
  }

  /** As if nothing of an attempt were left. */
  public void gone(Attempt attempt) {
    held.remove(attempt.held());
    if (!attempt.leaving() || state.policy().cycle().countsDraining()) {
      promised.remove(attempt.usage());
    }
    undo.push(state.slices().supposeOpen(attempt.heldSlices()));
  }

  /** As if what an attempt, which is not to end, let go of were free. */
  public void settled(Attempt attempt) {
    on(attempt, attempt.assignment().slices());
  }

  /** As if an attempt, which is not to end, were on these slices, and on nothing else. */
  public void on(Attempt attempt, List<String> slices) {
    Assignment other = attempt.assignment().onSlices(slices);
    Usage wanted = ledger.count(other);
    Usage known = supposed(attempt);
    supposed.put(attempt.key(), wanted);
    held.remove(known == null ? attempt.held() : known);
    held.add(wanted);
    promised.remove(known == null ? attempt.usage() : known);
    promised.add(wanted);
    List<String> left = new ArrayList<>(attempt.heldSlices());
    left.removeAll(slices);
    undo.push(state.slices().supposeOpen(left));
    undo.push(state.slices().supposeHeld(slices));
  }

  @Override
  public void close() {
    supposed.clear();
    held.close();
    promised.close();
    while (!undo.isEmpty()) {
      undo.pop().run();
    }
  }
}
