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
 * A reversible what-if change of quota and slices, seen by searches for free room. Closing it
 * restores the state. Nested suppositions must be closed in reverse order.
 */
public final class Supposition implements AutoCloseable {
  private final AdmissionState state;
  private final QuotaLedger ledger;
  private final UsageTrial held;
  private final UsageTrial promised;
  private final @Nullable Supposition within;
  private final SortedMap<AttemptKey, Usage> supposed = new TreeMap<>();
  private final Deque<Runnable> undo = new ArrayDeque<>();

  /** Creates a supposition without changes. */
  public Supposition(AdmissionState state) {
    this(state, null);
  }

  /**
   * Creates a supposition without changes inside another.
   *
   * @param within the enclosing supposition; null if there is none
   */
  public Supposition(AdmissionState state, @Nullable Supposition within) {
    this.state = state;
    this.ledger = state.ledger();
    this.held = new UsageTrial(ledger.held());
    this.promised = new UsageTrial(ledger.promised());
    this.within = within;
  }

  /**
   * Supposes that all draining attempts that are not overdue have ended, and all resizes are
   * settled.
   */
  public void drained() {
    for (Attempt attempt : state.attempts()) {
      if (attempt.leaving()) {
        gone(attempt);
      } else if (!attempt.settled()) {
        settled(attempt);
      }
    }
  }

  /** Returns the supposed usage of an attempt that is not leaving; null if none is supposed. */
  private @Nullable Usage supposed(Attempt attempt) {
    Usage known = supposed.get(attempt.key());
    return known == null && within != null ? within.supposed(attempt) : known;
  }

  /** Supposes that an attempt has ended. */
  public void gone(Attempt attempt) {
    held.remove(attempt.held());
    if (!attempt.leaving() || state.policy().cycle().countsDraining()) {
      promised.remove(attempt.usage());
    }
    undo.push(state.slices().supposeOpen(attempt.heldSlices()));
    undo.push(state.plan().suppose(attempt, null));
  }

  /** Supposes that an attempt, which is not draining, has settled its resize. */
  public void settled(Attempt attempt) {
    on(attempt, attempt.assignment().slices());
  }

  /** Supposes that an attempt, which is not draining, holds exactly these slices. */
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
    undo.push(state.plan().suppose(attempt, wanted));
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
