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
 * Step: what becomes of attempts that lost slices. All that one of them lost in a round is one
 * resize: others of the same pool in their place, as far as there are free ones, else fewer if as
 * many as its job needs are left. One with too few ends, as lost; no failure is counted.
 */
final class LostSlices {
  /**
   * A slice that is taken back or gone.
   *
   * @param of the slice of the fleet with which it goes
   * @param failedHost null: its provider takes it
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
   * Notes that an attempt loses a slice.
   *
   * @param of the slice of the fleet with which it goes, itself or one that it is formed of
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
    // What it has let go of already goes as it would have.
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
        // They may be enough for another.
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
   * Free slices that the attempt could have in the place of those that it lost. Those of a pool are
   * looked for once: nothing comes free while losses are settled. What is formed is chosen anew for
   * each, so that as much as can be is left whole.
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
        // Another flavor may offer it, too.
        if (state.slices().availableTo(next, attempt.key().indexKey())) {
          spares.add(next);
        }
      }
    }
    return spares;
  }

  /** Each spare takes the place of one that is lost; places without one close up. */
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

  /** What is said of the first, and how many more there are. */
  private static String message(List<Loss> lost) {
    long more = lost.stream().map(Loss::slice).distinct().count() - 1;
    String first = soonest(lost).drain().message();
    return more == 0 ? first : first + ", and " + more + " more";
  }
}
