// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.invariant;

import io.sluice.admission.placement.NodeUsage;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.LocalQueueUsage;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.Hold;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.state.record.SubmitterKey;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks the promises that are visible in one state or between two. Each check recomputes from
 * scratch what the state maintains incrementally.
 */
public final class Invariants {
  private Invariants() {}

  /** Returns all violations in a state, one line each. */
  public static List<String> violations(AdmissionState state) {
    List<String> violations = new ArrayList<>();
    Collection<JobEntry> jobs = state.jobs();
    checkUsage(state, violations);
    HeldSlices.check(state, violations);
    checkIndices(state, jobs, violations);
    checkStandings(state, violations);
    checkLadders(state, jobs, violations);
    checkHolds(state, jobs, violations);
    checkRunning(state, jobs, violations);
    checkDeadlines(state, violations);
    checkLocalQueues(state, violations);
    return violations;
  }

  /** Checks that the ledger's usage equals the sum over attempts and claims. */
  private static void checkUsage(AdmissionState state, List<String> violations) {
    QuotaTree tree = state.ledger().tree();
    boolean sharesHosts = state.policy().placement().sharesHosts();
    QuotaUsage held = new QuotaUsage(tree, new NodeUsage(state.topologies(), sharesHosts));
    QuotaUsage promised = new QuotaUsage(tree, new NodeUsage(state.topologies(), sharesHosts));
    for (Attempt attempt : state.attempts()) {
      attempt.held().addTo(held);
      if (!attempt.leaving() || state.policy().cycle().countsDraining()) {
        attempt.usage().addTo(promised);
      }
    }
    for (ClaimState claim : state.claims()) {
      claim.usage().addTo(promised);
    }
    if (!held.nodes().sameAs(state.ledger().held().nodes())
        || !promised.nodes().sameAs(state.ledger().promised().nodes())) {
      violations.add("usage of nodes differs from that of the attempts and claims");
    }
    for (int node = 0; node < tree.size(); node++) {
      for (int number = 0; number < tree.flavorResources().size(); number++) {
        compare(tree, node, number, "held", held, state.ledger().held(), violations);
        compare(tree, node, number, "promised", promised, state.ledger().promised(), violations);
      }
    }
  }

  /**
   * Checks that the current usage of LocalQueues equals the sum over attempts, and that decayed
   * usage is not negative.
   */
  private static void checkLocalQueues(AdmissionState state, List<String> violations) {
    if (state.policy().admissionFairSharing() == null) {
      return;
    }
    SortedMap<QueueKey, SortedMap<ResourceName, BigInteger>> counted = new TreeMap<>();
    for (Attempt attempt : state.attempts()) {
      SortedMap<ResourceName, BigInteger> used =
          counted.computeIfAbsent(attempt.job().workload().queue(), absent -> new TreeMap<>());
      LocalQueueUsage.amounts(attempt)
          .forEach((resource, amount) -> used.merge(resource, amount, BigInteger::add));
      used.values().removeIf(amount -> amount.signum() == 0);
    }
    for (QuotaObject object : state.objects().all()) {
      if (object instanceof LocalQueue queue) {
        QueueKey key = queue.queueKey();
        SortedMap<ResourceName, BigInteger> kept = state.localQueueUsage().inUse(key);
        if (!kept.equals(counted.getOrDefault(key, new TreeMap<>()))) {
          violations.add("LocalQueue %s is recorded with wrong usage %s".formatted(key, kept));
        }
        if (state.localQueueUsage().share(key).used().signum() < 0) {
          violations.add("LocalQueue %s has negative decayed usage".formatted(key));
        }
      }
    }
  }

  private static void compare(
      QuotaTree tree,
      int node,
      int number,
      String what,
      QuotaUsage counted,
      QuotaUsage kept,
      List<String> violations) {
    if (counted.used(node, number) != kept.used(node, number)) {
      violations.add(
          "%s of %s in %s is recorded as %d but counted as %d"
              .formatted(
                  what,
                  tree.flavorResources().pair(number),
                  tree.name(node),
                  kept.used(node, number),
                  counted.used(node, number)));
    }
  }

  /** Checks that no attempt holds an absent slice, and only leaving attempts hold a leaving one. */
  private static void checkStandings(AdmissionState state, List<String> violations) {
    for (SliceStanding standing : state.slices().standings().all()) {
      String slice = standing.slice();
      List<String> held = state.slices().heldOn(slice);
      boolean wrong =
          switch (standing.condition()) {
            case ABSENT, READY -> !held.isEmpty();
            case LEAVING -> !held.stream().allMatch(one -> leaves(state, one));
          };
      if (wrong) {
        violations.add(
            "P2: %s is %s and held by %s"
                .formatted(slice, standing, state.slices().holders(slice)));
      }
      IndexKey claimant = state.slices().claimant(slice);
      if (standing.keptFor() != null && claimant != null) {
        violations.add("%s is kept for %s and claimed by %s".formatted(slice, standing, claimant));
      }
      if (!state.slices().isOfFleet(slice)) {
        violations.add("%s is not in the fleet but has standing %s".formatted(slice, standing));
      }
    }
  }

  private static boolean leaves(AdmissionState state, String held) {
    AttemptKey holder = state.slices().holder(held);
    Attempt attempt = holder == null ? null : state.findAttempt(holder);
    return attempt == null || attempt.leaves(held);
  }

  /** P6: checks that attempts have their timers in time, and that only watched attempts stall. */
  private static void checkDeadlines(AdmissionState state, List<String> violations) {
    for (Attempt attempt : state.attempts()) {
      if (!state.watches(attempt)) {
        violations.add("P6: %s has deadlines without timers".formatted(attempt.key()));
      }
      boolean stalled = attempt.progress().stalledSince() != null;
      boolean watched = attempt.job().workload().limits().deadlines().progress() != null;
      if (stalled && (!watched || attempt.startedAt() == null)) {
        violations.add("%s is stalled without progress deadline or start".formatted(attempt.key()));
      }
      int missed = attempt.job().missedStarts(attempt.key().index());
      if (missed > 0 && attempt.state() == AttemptState.RUNNING) {
        violations.add("%s runs and has missed %d starts".formatted(attempt.key(), missed));
      }
    }
  }

  /** Checks that the index of jobs that wait for capacity is exact, without cancelled jobs. */
  private static void checkLadders(
      AdmissionState state, Collection<JobEntry> jobs, List<String> violations) {
    Set<JobEntry> known = new TreeSet<>(state.ladders().waiting());
    for (JobEntry job : jobs) {
      boolean waits = job.ladder().values().stream().anyMatch(RungProgress::waiting);
      if (waits && job.cancelledBy() != null) {
        violations.add("%s waits for capacity but is cancelled".formatted(job));
      }
      if (waits != known.contains(job)) {
        violations.add("%s is wrong in the index of waiting jobs".formatted(job));
      }
    }
  }

  /**
   * Checks that no index of a held job was admitted since the hold, and that the job does not wait.
   */
  private static void checkHolds(
      AdmissionState state, Collection<JobEntry> jobs, List<String> violations) {
    for (JobEntry job : jobs) {
      Hold hold = job.hold();
      if (hold == null) {
        continue;
      }
      for (Attempt attempt : job.live()) {
        if (attempt.admittedAt().isAfter(hold.since())) {
          violations.add("%s was admitted after %s".formatted(attempt.key(), hold));
        }
      }
      boolean waits = job.ladder().values().stream().anyMatch(RungProgress::waiting);
      if (waits || !job.claiming().isEmpty() || job.nextIndex(state.now()).isPresent()) {
        violations.add("%s is held but still waits".formatted(job));
      }
    }
  }

  /** Checks that the running jobs of submitters are counted correctly, and withheld accordingly. */
  private static void checkRunning(
      AdmissionState state, Collection<JobEntry> jobs, List<String> violations) {
    SortedMap<SubmitterKey, Set<JobId>> counted = running(jobs);
    SortedMap<SubmitterKey, Set<JobId>> kept = new TreeMap<>();
    for (SubmitterKey submitter : state.running().submitters()) {
      kept.put(submitter, state.running().running(submitter));
    }
    if (!kept.equals(counted)) {
      violations.add("running jobs are recorded as %s but counted as %s".formatted(kept, counted));
    }
    for (QueueState queue : state.queues()) {
      for (JobEntry job : queue.pending().inOrder()) {
        SubmitterKey submitter = SubmitterKey.of(job.workload());
        boolean full = !job.busy() && state.running().full(submitter);
        if (state.withheld(job) != full) {
          violations.add("%s of %s is withheld or tried wrongly".formatted(job, submitter));
        }
      }
    }
  }

  private static SortedMap<SubmitterKey, Set<JobId>> running(Collection<JobEntry> jobs) {
    SortedMap<SubmitterKey, Set<JobId>> running = new TreeMap<>();
    for (JobEntry job : jobs) {
      if (!job.live().isEmpty() || !job.claiming().isEmpty()) {
        running
            .computeIfAbsent(SubmitterKey.of(job.workload()), absent -> new TreeSet<>())
            .add(job.id());
      }
    }
    return running;
  }

  /** P4: checks that each index is in only one of the states live, claiming, ended and waiting. */
  private static void checkIndices(
      AdmissionState state, Collection<JobEntry> jobs, List<String> violations) {
    for (JobEntry job : jobs) {
      for (Attempt attempt : job.live()) {
        int index = attempt.key().index();
        boolean moves = attempt.draining() && attempt.drain().cause() == DrainCause.MIGRATED;
        if ((job.claiming().contains(index) && !moves)
            || job.succeeded().contains(index)
            || job.failed().contains(index)) {
          violations.add("P4: %s is live and also claiming or ended".formatted(attempt.key()));
        }
        if (attempt.key().attempt() != job.attempts(index)) {
          violations.add("P4: %s is not the last attempt".formatted(attempt.key()));
        }
        if (state.findAttempt(attempt.key()) != attempt) {
          violations.add("P4: %s is not among the live attempts".formatted(attempt.key()));
        }
      }
      if (job.takenIndices() > job.workload().array().maxParallel()) {
        violations.add("%s has more live indices than it may".formatted(job));
      }
    }
  }

  /**
   * Returns the excesses: usage of quota tree nodes beyond their limits, running jobs beyond a
   * submitter's limit, and usage of hosts beyond their capacity.
   *
   * @return excess by name of node and resource, of submitter, or of host; empty if P1 holds
   *     everywhere
   */
  public static SortedMap<String, Long> excesses(AdmissionState state) {
    QuotaTree tree = state.ledger().tree();
    QuotaUsage held = state.ledger().held();
    SortedMap<String, Long> excesses = new TreeMap<>();
    for (int node = 0; node < tree.size(); node++) {
      for (int number = 0; number < tree.flavorResources().size(); number++) {
        long excess = held.used(node, number) - most(tree, node, number);
        if (excess > 0) {
          String name = (tree.isQueue(node) ? "queue " : "cohort ") + tree.name(node);
          excesses.put(name + " " + tree.flavorResources().pair(number), excess);
        }
      }
    }
    held.nodes().excesses().forEach((where, excess) -> excesses.put("nodes of " + where, excess));
    for (SubmitterKey submitter : state.running().submitters()) {
      Integer limit = state.running().limit(submitter.queue());
      int running = state.running().running(submitter).size();
      if (limit != null && running > limit) {
        excesses.put("jobs of " + submitter, (long) running - limit);
      }
    }
    return excesses;
  }

  /**
   * Returns the largest permitted usage of a node: its subtree quota plus its borrowing limit.
   * Computed independently of the tree's own limit, by which the engine decides.
   */
  private static long most(QuotaTree tree, int node, int number) {
    long subtree = tree.subtreeQuota(node, number);
    if (!tree.hasParent(node)) {
      return subtree;
    }
    long limit = tree.borrowingLimit(node, number);
    return limit == QuotaTree.UNLIMITED || subtree > Long.MAX_VALUE - limit
        ? Long.MAX_VALUE
        : subtree + limit;
  }
}
