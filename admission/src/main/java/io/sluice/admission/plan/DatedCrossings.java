// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.usage.Calendar;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageForecast;
import io.sluice.queuemodel.quota.DatedObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the attempts that run on although a booking or an outage needs what they use: they were
 * admitted before it was made, and are not preemptible.
 */
public final class DatedCrossings {
  private DatedCrossings() {}

  /**
   * Returns the attempts by key; empty if there is enough beside them.
   *
   * @param dated need not be known to the state
   */
  public static List<Attempt> find(AdmissionState state, DatedObject dated) {
    long now = Ticks.of(state.now());
    Calendar calendar = Calendar.of(List.of(dated), state.ledger(), state.slices().all(), now);
    if (calendar.isEmpty()) {
      return List.of();
    }
    Calendar.Entry entry = calendar.entries().get(0);
    long from = Math.max(now, entry.from());
    UsageForecast forecast = new UsageForecast(state.ledger().tree());
    forecast.addAll(calendar);
    List<Attempt> onQuota = new ArrayList<>();
    List<Attempt> onSlices = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      long end = Ticks.notBefore(attempt.latestEnd(state.policy().ends()));
      if (attempt.job().workload().priority().preemptible() || end <= from) {
        continue;
      }
      forecast.add(new UsageForecast.Span(attempt.held(), Long.MIN_VALUE, end));
      if (!entry.isFor(attempt.held().node())) {
        if (entry.concerns(attempt.held()) && sharesTree(state, entry, attempt)) {
          onQuota.add(attempt);
        } else if (state.slices().overlap(entry.slices(), attempt.heldSlices())) {
          onSlices.add(attempt);
        }
      }
    }
    if (forecast.holds(entry, from)) {
      onQuota.removeIf(attempt -> !state.slices().overlap(entry.slices(), attempt.heldSlices()));
    }
    onSlices.addAll(onQuota);
    return onSlices;
  }

  private static boolean sharesTree(AdmissionState state, Calendar.Entry entry, Attempt attempt) {
    Usage booked = entry.booked();
    return booked == null
        || state.ledger().tree().root(booked.node())
            == state.ledger().tree().root(attempt.held().node());
  }
}
