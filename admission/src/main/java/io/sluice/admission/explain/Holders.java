// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.admission.explain.Explanation.Group;
import io.sluice.admission.explain.Explanation.Holder;
import io.sluice.admission.explain.Explanation.InTheWay;
import io.sluice.admission.flavor.Obstacle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.admission.topology.SliceOutlook;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the attempts that hold what a job lacks. */
final class Holders {
  /** An attempt and its latest end. */
  private record Ending(Instant end, Attempt attempt) {
    static final Comparator<Ending> EARLIEST_FIRST =
        Comparator.comparing(Ending::end).thenComparing(ending -> ending.attempt().key());
  }

  private final AdmissionState state;
  private final List<Attempt> attempts;

  private Holders(AdmissionState state, List<Attempt> attempts) {
    this.state = state;
    this.attempts = attempts;
  }

  static Holders of(AdmissionState state, JobEntry job, Obstacle obstacle) {
    Predicate<Attempt> holds = holding(state, job, obstacle);
    List<Attempt> found = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      if (holds.test(attempt)) {
        found.add(attempt);
      }
    }
    return new Holders(state, AttemptOrder.seenFrom(job.queue().name(), found));
  }

  private static Predicate<Attempt> holding(AdmissionState state, JobEntry job, Obstacle obstacle) {
    return switch (obstacle.kind()) {
      case SLICES_IN_USE, SLICES_SCATTERED ->
          onHostsOf(state, SlicePool.of(obstacle.flavor(), job.workload().shape()));
      case NODES_IN_USE ->
          attempt ->
              attempt.usage().placed().stream()
                  .anyMatch(pods -> pods.flavor().equals(obstacle.flavor()));
      case QUOTA_IN_USE -> {
        QuotaTree tree = state.ledger().tree();
        int number = tree.flavorResources().find(obstacle.flavor(), obstacle.resource());
        int root = tree.root(job.queue().node());
        yield attempt ->
            attempt.usage().amountOf(number) > 0 && tree.root(attempt.usage().node()) == root;
      }
      default -> attempt -> false;
    };
  }

  /** Returns a predicate for attempts on hosts of possible slices of a pool. */
  private static Predicate<Attempt> onHostsOf(AdmissionState state, SlicePool pool) {
    Predicate<String> sharing = state.slices().sharingHosts(pool);
    return attempt -> attempt.assignment().slices().stream().anyMatch(sharing);
  }

  /** Returns the victims of a claim that have not ended. */
  static InTheWay victimsOf(AdmissionState state, ClaimState claim) {
    List<Attempt> there = new ArrayList<>();
    for (AttemptKey victim : claim.claim().victims()) {
      Attempt attempt = state.findAttempt(victim);
      if (attempt != null) {
        there.add(attempt);
      }
    }
    return listed(state, there);
  }

  /** Returns the live attempts of some jobs. */
  static InTheWay liveOf(AdmissionState state, Collection<JobId> jobs) {
    List<Attempt> live = new ArrayList<>();
    for (JobId id : jobs) {
      JobEntry job = state.findJob(id);
      if (job != null) {
        live.addAll(job.live());
      }
    }
    return listed(state, live);
  }

  /** Returns the draining attempts that hold the needed room. */
  static InTheWay draining(AdmissionState state, @Nullable RoomNeed need) {
    if (need == null) {
      return InTheWay.NOBODY;
    }
    QuotaTree tree = state.ledger().tree();
    int root = tree.root(need.usage().node());
    SlicePool pool = need.pool();
    Predicate<Attempt> onHosts = pool == null ? attempt -> false : onHostsOf(state, pool);
    List<Attempt> draining = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      if (attempt.leaving()
          && ((tree.root(attempt.usage().node()) == root && need.lacksAnyOf(attempt.usage()))
              || onHosts.test(attempt))) {
        draining.add(attempt);
      }
    }
    return listed(state, draining);
  }

  InTheWay inTheWay() {
    return listed(state, attempts);
  }

  static InTheWay listed(AdmissionState state, List<Attempt> attempts) {
    return new InTheWay(
        attempts.size(),
        attempts.stream()
            .limit(Explanation.IN_THE_WAY_MAX)
            .map(attempt -> holder(state, attempt))
            .toList(),
        groups(state, attempts));
  }

  private static List<Group> groups(AdmissionState state, List<Attempt> attempts) {
    SortedMap<String, SortedMap<String, Group>> groups = new TreeMap<>();
    for (Attempt attempt : attempts) {
      String queue = attempt.job().queue().name();
      String namespace = attempt.job().workload().queue().namespace();
      Instant end = attempt.latestEnd(state.policy().ends());
      groups
          .computeIfAbsent(queue, absent -> new TreeMap<>())
          .merge(namespace, new Group(queue, namespace, 1, end), Group::and);
    }
    return groups.values().stream().flatMap(queue -> queue.values().stream()).toList();
  }

  private static Holder holder(AdmissionState state, Attempt attempt) {
    Workload workload = attempt.job().workload();
    return new Holder(
        attempt.key(),
        workload.queue().namespace(),
        nameOf(attempt),
        attempt.job().queue().name(),
        workload.priority().value(),
        attempt.draining(),
        attempt.latestEnd(state.policy().ends()));
  }

  /** Returns the job's name; for an array, with the index. */
  private static String nameOf(Attempt attempt) {
    Workload workload = attempt.job().workload();
    return workload.array().single()
        ? workload.name()
        : workload.name() + "[" + attempt.key().index() + "]";
  }

  /**
   * Returns when enough attempts will have ended if each uses all of its time; null if that depends
   * on one without a time limit.
   */
  @Nullable Instant roomBy(RoomNeed need) {
    List<Ending> byEnd = new ArrayList<>();
    for (Attempt attempt : attempts) {
      Instant end = attempt.latestEnd(state.policy().ends());
      if (end != null && !attempt.draining()) {
        byEnd.add(new Ending(end, attempt));
      }
    }
    byEnd.sort(Ending.EARLIEST_FIRST);
    SlicePool pool = need.pool();
    SliceOutlook slices = pool == null ? null : state.slices().outlook(pool, need.job());
    try (UsageTrial without = new UsageTrial(state.ledger().promised())) {
      for (Ending ending : byEnd) {
        without.remove(ending.attempt().usage());
        if (slices != null) {
          slices.release(ending.attempt().assignment().slices());
        }
        boolean enough = slices == null || slices.count() >= need.slices();
        if (enough && state.ledger().fitsPromised(need.usage())) {
          return ending.end();
        }
      }
    }
    return null;
  }
}
