// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Resize;
import io.sluice.queuemodel.job.AttemptKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Handles attempts that lost slices. All losses of an attempt in a round are one resize: free
 * slices of the same pool replace lost ones; if they do not suffice, the attempt shrinks, down to
 * its job's minimum. Below that, the attempt ends as lost. No failure is counted.
 */
final class LostSlices {
  /**
   * A slice that is reclaimed or gone.
   *
   * @param of the lost slice of the fleet: the slice itself or one that it is formed from
   * @param failedHost the failed host; null if the provider reclaims the slice
   */
  private record Loss(String slice, String of, Duration notice, @Nullable String failedHost) {
    Drain drain() {
      return failedHost == null ? Drain.reclaimed(of, notice) : Drain.hostLost(failedHost, of);
    }
  }

  private final Decisions decisions;
  private final AdmissionState state;
  private final SortedMap<AttemptKey, List<Loss>> losses = new TreeMap<>();
  private final SortedMap<SlicePool, Deque<String>> free = new TreeMap<>();

  LostSlices(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
  }

  /**
   * Records that an attempt loses a slice.
   *
   * @param of the lost slice of the fleet: the slice itself or one that it is formed from
   */
  void add(
      AttemptKey holder, String slice, String of, Duration notice, @Nullable String failedHost) {
    losses
        .computeIfAbsent(holder, absent -> new ArrayList<>())
        .add(new Loss(slice, of, notice, failedHost));
  }

  void settle() {
    free.clear();
    losses.forEach(
        (key, lost) -> {
          Attempt attempt = state.findAttempt(key);
          if (attempt != null && !attempt.draining()) {
            settle(attempt, lost);
          }
        });
    losses.clear();
  }

  private void settle(Attempt attempt, List<Loss> all) {
    List<String> slices = attempt.assignment().slices();
    // Losing slices that it has already let go of changes nothing for the attempt.
    List<Loss> lost = all.stream().filter(loss -> slices.contains(loss.slice())).toList();
    List<String> names = lost.stream().map(Loss::slice).distinct().toList();
    if (lost.isEmpty()) {
      return;
    }
    List<String> spares = attempt.resizable() ? spares(attempt, names.size()) : List.of();
    List<String> after = replaced(slices, names, spares);
    boolean repaired = after.size() == slices.size();
    boolean failed = lost.stream().anyMatch(loss -> loss.failedHost() != null);
    boolean tooOften =
        failed
            && attempt
                .job()
                .hostLosses()
                .with(attempt.startedAt(), attempt.presentSince(), decisions.now())
                .tooMany();
    if (!attempt.resizable() || tooOften || after.size() < attempt.range().min()) {
      decisions.record(new Event.AttemptDraining(attempt.key(), soonest(lost).drain()));
      if (!spares.isEmpty()) {
        // The unused spares may be enough for another attempt.
        free.clear();
      }
      return;
    }
    Resize.Cause full = failed ? Resize.Cause.HOST_REPLACED : Resize.Cause.REPAIRED;
    Resize.Cause fewer = failed ? Resize.Cause.HOST_LOST : Resize.Cause.RECLAIMED;
    Resize.Cause cause = repaired ? full : fewer;
    decisions.record(
        attempt.onSlices(after, new Resize(cause, null, message(lost), soonest(lost).notice())));
  }

  /**
   * Returns free slices that can replace lost ones. It searches a pool of plain slices once,
   * because none becomes free during settlement. It searches formed slices again for each attempt,
   * to keep as much as possible whole.
   */
  private List<String> spares(Attempt attempt, int most) {
    SlicePool pool = attempt.pool();
    List<String> spares = new ArrayList<>();
    if (pool != null && !state.slices().plain(pool)) {
      return state.slices().free(pool, most);
    }
    if (pool != null) {
      Deque<String> left =
          free.computeIfAbsent(
              pool, key -> new ArrayDeque<>(state.slices().free(key, state.slices().mostOf(key))));
      while (spares.size() < most && !left.isEmpty()) {
        String next = left.poll();
        // A slice may be in several pools, so another attempt may have taken it.
        if (state.slices().availableTo(next, attempt.key().indexKey())) {
          spares.add(next);
        }
      }
    }
    return spares;
  }

  /** Replaces lost slices by spares, in order, and removes those without a spare. */
  private static List<String> replaced(
      List<String> slices, List<String> lost, List<String> spares) {
    List<String> after = new ArrayList<>();
    int used = 0;
    for (String slice : slices) {
      if (!lost.contains(slice)) {
        after.add(slice);
      } else if (used < spares.size()) {
        after.add(spares.get(used));
        used++;
      }
    }
    return after;
  }

  private static Loss soonest(List<Loss> lost) {
    Loss soonest = lost.get(0);
    for (Loss loss : lost) {
      soonest = loss.notice().compareTo(soonest.notice()) < 0 ? loss : soonest;
    }
    return soonest;
  }

  /** Returns the message of the most urgent loss, with the number of further slices. */
  private static String message(List<Loss> lost) {
    long more = lost.stream().map(Loss::slice).distinct().count() - 1;
    String first = soonest(lost).drain().message();
    return more == 0 ? first : first + ", and " + more + " more";
  }
}
