// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.usage.Calendar;
import io.sluice.admission.topology.SliceOutlook;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.job.AttemptKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The times from which a pool has enough slices for a job. Attempts give back their slices at their
 * latest ends, claims at those of their holders, and slices kept for other planned starts are not
 * available while those need them.
 */
final class SliceStarts {
  /** Slices that become free. */
  private record Release(long at, List<String> held, List<String> claimed) {}

  /**
   * A time from which there are enough slices.
   *
   * @param slices the slices to keep
   */
  record Start(long at, List<String> slices) {}

  private final AdmissionState state;
  private final JobEntry job;
  private final RoomNeed need;
  private final SlicePool pool;
  private final List<Promise> outranked;
  private final List<Release> releases = new ArrayList<>();

  /** Requires that the job needs slices. */
  SliceStarts(AdmissionState state, JobEntry job, RoomNeed need) {
    this.state = state;
    this.job = job;
    this.need = need;
    this.pool = Objects.requireNonNull(need.pool());
    this.outranked = state.plan().guard().ownAndOutranked(job);
    for (AttemptKey holder : outlook().holders()) {
      Attempt attempt = state.findAttempt(holder);
      if (attempt != null) {
        releases.add(new Release(end(state, attempt, job), attempt.heldSlices(), List.of()));
      }
    }
    for (ClaimState claim : state.claims()) {
      releases.add(
          new Release(
              state.plan().fillers().end(claim, job), List.of(), claim.claim().wanted().slices()));
    }
    releases.sort(Comparator.comparingLong(Release::at));
  }

  /** Returns the latest end of an attempt for a job; some preemptible ones are drained in time. */
  private static long end(AdmissionState state, Attempt attempt, JobEntry job) {
    Instant end = attempt.latestEnd(state.policy().ends());
    boolean drained = state.plan().fillers().isDrainedFor(attempt, job);
    Instant soon = state.now().plus(state.plan().fillers().lead(attempt.job()));
    return Ticks.notBefore(drained && (end == null || soon.isBefore(end)) ? soon : end);
  }

  /**
   * Returns whether the slices kept for a planned start are free at its time: holders and claimants
   * have left by then, and no other planned start of which it does not take precedence needs them.
   */
  static boolean hold(AdmissionState state, Promise promise) {
    JobEntry job = promise.job();
    for (String slice : promise.slices()) {
      for (AttemptKey holder : state.slices().holders(slice)) {
        Attempt attempt = state.findAttempt(holder);
        if (attempt != null && end(state, attempt, job) > promise.from()) {
          return false;
        }
      }
    }
    for (ClaimState claim : state.claims()) {
      if (state.plan().fillers().end(claim, job) > promise.from()
          && state.slices().overlap(claim.claim().wanted().slices(), promise.slices())) {
        return false;
      }
    }
    List<Promise> others = others(state, state.plan().guard().ownAndOutranked(job));
    List<String> kept = keptFrom(others, promise.from(), promise.to());
    kept.addAll(dated(state, job, promise.from(), promise.to()));
    return !state.slices().overlap(kept, promise.slices());
  }

  private SliceOutlook outlook() {
    return state.slices().outlook(pool, job.id());
  }

  private static void apply(Release release, SliceOutlook outlook) {
    outlook.release(release.held());
    outlook.unclaim(release.claimed());
  }

  /** Returns the first start, not before a time, for a while; null if there is none. */
  @Nullable Start from(long from, long length) {
    SliceOutlook outlook = outlook();
    List<Promise> others = others(state, outranked);
    TreeSet<Long> times = new TreeSet<>();
    times.add(from);
    releases.forEach(release -> times.add(release.at()));
    others.forEach(promise -> times.add(promise.to()));
    state.plan().calendar().withSlices().forEach(entry -> times.add(entry.to()));
    int next = 0;
    for (long time : times.tailSet(from, true)) {
      while (next < releases.size() && releases.get(next).at() <= time) {
        apply(releases.get(next), outlook);
        next++;
      }
      if (time != Ticks.NEVER) {
        List<String> kept = keptFrom(others, time, Ticks.plus(time, length));
        kept.addAll(dated(state, job, time, Ticks.plus(time, length)));
        outlook.claim(kept);
        if (outlook.count() >= need.slices()) {
          return new Start(time, outlook.choose(need.slices()));
        }
        outlook.unclaim(kept);
        // What is booked or absent may be claimed as well.
        releases.subList(next, releases.size()).forEach(later -> outlook.claim(later.claimed()));
      }
    }
    return null;
  }

  /** Returns the planned starts of other jobs that keep slices. */
  private static List<Promise> others(AdmissionState state, List<Promise> outranked) {
    List<Promise> others = new ArrayList<>();
    for (Promise promise : state.plan().withSlices()) {
      if (!outranked.contains(promise)) {
        others.add(promise);
      }
    }
    return others;
  }

  /** Returns the slices kept for others in a range; those without a time keep theirs always. */
  private static List<String> keptFrom(List<Promise> others, long from, long to) {
    List<String> kept = new ArrayList<>();
    for (Promise promise : others) {
      if (!promise.dated() || (promise.from() < to && promise.to() > from)) {
        kept.addAll(promise.start().wanted().slices());
      }
    }
    return kept;
  }

  /** Returns the slices that are booked for other queues, or absent, in a range. */
  private static List<String> dated(AdmissionState state, JobEntry job, long from, long to) {
    List<String> kept = new ArrayList<>();
    for (Calendar.Entry entry :
        state.plan().calendar().keepingSlicesFrom(job.queue().node(), from, to)) {
      kept.addAll(entry.slices());
    }
    return kept;
  }

  /** Returns slices for the time when all attempts that drain in time have ended. */
  List<String> afterAll() {
    SliceOutlook outlook = outlook();
    for (Release release : releases) {
      apply(release, outlook);
    }
    for (AttemptKey holder : outlook().holders()) {
      Attempt attempt = state.findAttempt(holder);
      if (attempt != null && attempt.overdue()) {
        outlook.hold(attempt.heldSlices());
      }
    }
    outlook.claim(keptFrom(others(state, outranked), 0, Ticks.NEVER));
    outlook.claim(dated(state, job, 0, Ticks.NEVER));
    return outlook.count() >= need.slices() ? outlook.choose(need.slices()) : List.of();
  }
}
