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
import io.sluice.admission.state.usage.Usage;
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
import org.jspecify.annotations.Nullable;

/** Finds the attempts that hold what a job lacks. */
final class Holders {
  private final AdmissionState state;
  private final List<Attempt> attempts;

  private Holders(AdmissionState state, List<Attempt> attempts) {
    this.state = state;
    this.attempts = attempts;
  }

  static Holders of(AdmissionState state, JobEntry job, Obstacle obstacle) {
    List<Attempt> found = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      if (holds(state, attempt, job, obstacle)) {
        found.add(attempt);
      }
    }
    return new Holders(state, AttemptOrder.seenFrom(job.queue().name(), found));
  }

  private static boolean holds(
      AdmissionState state, Attempt attempt, JobEntry job, Obstacle obstacle) {
    if (obstacle.kind() == Obstacle.Kind.SLICES_IN_USE
        || obstacle.kind() == Obstacle.Kind.SLICES_SCATTERED) {
      SlicePool pool = SlicePool.of(obstacle.flavor(), job.workload().shape());
      return attempt.assignment().slices().stream()
          .anyMatch(slice -> state.slices().sharesHosts(slice, pool));
    }
    if (obstacle.kind() == Obstacle.Kind.NODES_IN_USE) {
      return attempt.usage().placed().stream()
          .anyMatch(pods -> pods.flavor().equals(obstacle.flavor()));
    }
    if (obstacle.kind() != Obstacle.Kind.QUOTA_IN_USE) {
      return false;
    }
    QuotaTree tree = state.ledger().tree();
    int number = tree.flavorResources().find(obstacle.flavor(), obstacle.resource());
    Usage usage = attempt.usage();
    return usage.amountOf(number) > 0 && tree.root(usage.node()) == tree.root(job.queue().node());
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
    List<Attempt> draining = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      if (need != null && attempt.leaving() && holdsSomeOf(state, attempt, need)) {
        draining.add(attempt);
      }
    }
    return listed(state, draining);
  }

  private static boolean holdsSomeOf(AdmissionState state, Attempt attempt, RoomNeed need) {
    QuotaTree tree = state.ledger().tree();
    boolean sameTree = tree.root(attempt.usage().node()) == tree.root(need.usage().node());
    return (sameTree && need.lacksAnyOf(attempt.usage())) || sharesHosts(state, attempt, need);
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
    List<Attempt> byEnd = new ArrayList<>();
    for (Attempt attempt : attempts) {
      if (attempt.latestEnd(state.policy().ends()) != null && !attempt.draining()) {
        byEnd.add(attempt);
      }
    }
    byEnd.sort(Comparator.comparing(this::end).thenComparing(Attempt::key));
    SlicePool pool = need.pool();
    SliceOutlook slices = pool == null ? null : state.slices().outlook(pool, need.job());
    try (UsageTrial without = new UsageTrial(state.ledger().promised())) {
      for (Attempt attempt : byEnd) {
        without.remove(attempt.usage());
        if (slices != null) {
          slices.release(attempt.assignment().slices());
        }
        boolean enough = slices == null || slices.count() >= need.slices();
        if (enough && state.ledger().fitsPromised(need.usage())) {
          return end(attempt);
        }
      }
    }
    return null;
  }

  private Instant end(Attempt attempt) {
    Instant end = attempt.latestEnd(state.policy().ends());
    return end == null ? Instant.MAX : end;
  }

  private static boolean sharesHosts(AdmissionState state, Attempt attempt, RoomNeed need) {
    SlicePool pool = need.pool();
    return pool != null
        && attempt.assignment().slices().stream()
            .anyMatch(slice -> state.slices().sharesHosts(slice, pool));
  }
}
