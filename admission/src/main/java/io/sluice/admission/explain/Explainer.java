// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.admission.explain.Explanation.Account;
import io.sluice.admission.explain.Explanation.InTheWay;
import io.sluice.admission.explain.Explanation.SubmitterCount;
import io.sluice.admission.explain.Explanation.Times;
import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.CountReduction;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.Obstacle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.flavor.ScanPositions;
import io.sluice.admission.preemption.VictimSearch;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.Hold;
import io.sluice.admission.state.record.SubmitterKey;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.StallPolicy;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.QueueKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a job is not running, with the same decision procedures as a round. It leaves the
 * state unchanged.
 */
public final class Explainer {
  private static final SmallestChange WAIT = SmallestChange.WAIT;

  /** Flavors that come closest first. */
  private static final Comparator<Obstacle> CLOSEST =
      Comparator.comparingInt(obstacle -> distance(obstacle.kind()));

  private final AdmissionState state;

  public Explainer(AdmissionState state) {
    this.state = state;
  }

  /** Explains a job; empty if it is cancelled or no index of it waits. */
  public Optional<Explanation> explain(JobEntry job) {
    if (job.cancelledBy() != null) {
      return Optional.empty();
    }
    Hold hold = job.hold();
    if (hold != null) {
      return Optional.of(held(job, hold));
    }
    if (!job.claiming().isEmpty()) {
      return Optional.of(waitingForDrain(job.index(job.claiming().first())));
    }
    OptionalInt next = job.nextIndex(state.now());
    if (next.isEmpty()) {
      return busy(job);
    }
    IndexKey index = job.index(next.getAsInt());
    Explanation notAdmitting = notAdmitting(job, index);
    if (notAdmitting == null && state.withheld(job)) {
      return Optional.of(withheld(job, index));
    }
    return Optional.of(notAdmitting == null ? blocked(job, index) : notAdmitting);
  }

  private static Explanation held(JobEntry job, Hold hold) {
    return new Explanation(
        job.index(0),
        hold.quarantine() ? Blocker.QUARANTINED : Blocker.HELD,
        0,
        List.of(),
        InTheWay.NOBODY,
        Times.UNKNOWN,
        SmallestChange.of(
            SmallestChange.Kind.RELEASE_JOB, job.id().toString(), ResourceName.TPU, 0),
        new Account(List.of(), hold, null, List.of()));
  }

  private Explanation withheld(JobEntry job, IndexKey index) {
    QueueKey queue = job.workload().queue();
    String submitter = job.workload().submitter();
    SortedSet<JobId> running = state.running().running(new SubmitterKey(queue, submitter));
    Integer limit = Objects.requireNonNull(state.running().limit(queue));
    return new Explanation(
        index,
        Blocker.SUBMITTER_LIMIT,
        job.queue().countBefore(job),
        List.of(),
        Holders.liveOf(state, running),
        Times.UNKNOWN,
        SmallestChange.of(
            SmallestChange.Kind.RAISE_SUBMITTER_LIMIT,
            queue.toString(),
            ResourceName.TPU,
            running.size() - limit + 1L),
        new Account(
            List.of(), null, new SubmitterCount(submitter, running.size(), limit), List.of()));
  }

  private Explanation waitingForDrain(IndexKey index) {
    ClaimState claim = state.findClaim(index);
    return new Explanation(
        index,
        Blocker.WAITING_FOR_DRAIN,
        0,
        List.of(),
        claim == null ? InTheWay.NOBODY : Holders.victimsOf(state, claim),
        Times.until(claim == null ? null : claim.claim().deadline()),
        WAIT,
        List.of());
  }

  /** Explains a job with no index to admit now: it is in backoff, or waits for its own indices. */
  private Optional<Explanation> busy(JobEntry job) {
    Instant notBefore = job.nextNotBefore(state.now());
    boolean moreToCome = job.endedCount() + job.live().size() < job.workload().array().count();
    if (notBefore != null && job.live().size() < job.workload().array().maxParallel()) {
      return Optional.of(simple(job, Blocker.BACKOFF, notBefore));
    }
    if (moreToCome && !job.workload().array().single()) {
      return Optional.of(simple(job, Blocker.PARALLELISM, null));
    }
    for (Attempt attempt : job.live()) {
      Explanation live = live(attempt);
      if (live != null) {
        return Optional.of(live);
      }
    }
    return Optional.empty();
  }

  /** Explains a live attempt that is not running normally; null if it is. */
  private static @Nullable Explanation live(Attempt attempt) {
    AttemptDeadlines deadlines = attempt.job().workload().limits().deadlines();
    return switch (attempt.state()) {
      case ADMITTED -> simple(attempt, Blocker.STARTING, attempt.startBy());
      case RUNNING -> {
        if (!attempt.settled()) {
          yield simple(attempt, Blocker.STARTING, attempt.startBy());
        }
        Instant since = attempt.progress().stalledSince();
        boolean fails = since != null && deadlines.onStall() == StallPolicy.FAIL;
        Duration grace = deadlines.progress();
        yield since == null
            ? null
            : simple(attempt, Blocker.STALLED, fails && grace != null ? since.plus(grace) : null);
      }
      case DRAINING -> {
        Instant since = attempt.drainingAt();
        Duration grace = attempt.gracePeriod();
        yield simple(
            attempt,
            Blocker.DRAINING,
            since == null || attempt.overdue() ? null : since.plus(grace));
      }
      case ENDED -> null;
    };
  }

  private static Explanation simple(Attempt attempt, Blocker blocker, @Nullable Instant until) {
    return new Explanation(
        attempt.key().indexKey(),
        blocker,
        0,
        List.of(),
        InTheWay.NOBODY,
        Times.until(until),
        WAIT,
        List.of());
  }

  private static Explanation simple(JobEntry job, Blocker blocker, @Nullable Instant until) {
    return new Explanation(
        job.index(0), blocker, 0, List.of(), InTheWay.NOBODY, Times.until(until), WAIT, List.of());
  }

  private @Nullable Explanation notAdmitting(JobEntry job, IndexKey index) {
    QueueState queue = job.queue();
    String namespace = job.workload().queue().namespace();
    if (state.admits(job.workload().queue())) {
      return null;
    }
    boolean selected = queue.selects(namespace);
    boolean stopped = !queue.admits() || selected;
    SmallestChange change =
        stopped
            ? SmallestChange.of(
                SmallestChange.Kind.RESUME_QUEUE,
                queue.admits() ? job.workload().queue().toString() : queue.name(),
                ResourceName.TPU,
                0)
            : SmallestChange.of(
                SmallestChange.Kind.SELECT_NAMESPACE, namespace, ResourceName.TPU, 0);
    return new Explanation(
        index,
        stopped ? Blocker.QUEUE_STOPPED : Blocker.NAMESPACE_NOT_SELECTED,
        queue.countBefore(job),
        List.of(),
        InTheWay.NOBODY,
        Times.UNKNOWN,
        change,
        List.of());
  }

  private Explanation blocked(JobEntry job, IndexKey index) {
    VictimSearch victims = new VictimSearch(state);
    FlavorAssignment assignment = least(job, victims);
    int ahead = job.queue().countBefore(job);
    List<RungAccount> rungs = new LadderExplanation(state, job, index).accounts(assignment);
    Victims found = find(victims, job, assignment);
    if (found != null && found.nobody()) {
      return new Explanation(
          index,
          Blocker.WAITING_FOR_DRAIN,
          ahead,
          assignment.obstacles(),
          Holders.draining(state, assignment.need()),
          Times.UNKNOWN,
          WAIT,
          rungs);
    }
    if (!permits(job, assignment, found)) {
      Explanation dated = new DatedExplanation(state, job, assignment).explain(index, ahead, rungs);
      return dated == null ? besidePlannedStarts(index, assignment, ahead, rungs) : dated;
    }
    boolean behindOnLadder = !assignment.trials().isEmpty() && !job.queue().mayTry(job);
    if (assignment.mode() == AssignmentMode.FIT || found != null || behindOnLadder) {
      return itsTurn(job, index, ahead, rungs);
    }
    Explanation onLadder = new LadderExplanation(state, job, index).explain(assignment, ahead);
    if (onLadder != null) {
      return onLadder;
    }
    Explanation dated = new DatedExplanation(state, job, assignment).explain(index, ahead, rungs);
    if (dated != null) {
      return dated;
    }
    Obstacle closest = assignment.obstacles().stream().min(CLOSEST).orElseThrow();
    Holders holders = Holders.of(state, job, closest);
    return new Explanation(
        index,
        blocker(closest.kind()),
        ahead,
        assignment.obstacles(),
        holders.inTheWay(),
        times(job, assignment.need(), holders),
        change(job, closest),
        rungs);
  }

  /** Returns when a job may preempt what is protected, and when there would be room. */
  private Times times(JobEntry job, @Nullable RoomNeed need, Holders holders) {
    return need == null
        ? Times.UNKNOWN
        : new Times(VictimSearch.victimsFrom(state, job, need), holders.roomBy(need));
  }

  /** Explains a job that fits, or that may preempt. */
  private Explanation itsTurn(JobEntry job, IndexKey index, int ahead, List<RungAccount> rungs) {
    if (!state.awaited().isEmpty()) {
      return waitingForStart(index, ahead, rungs);
    }
    return new Explanation(
        index, turn(job), ahead, List.of(), InTheWay.NOBODY, Times.UNKNOWN, WAIT, rungs);
  }

  private Blocker turn(JobEntry job) {
    if (state.tries().isUndecided(job.id())) {
      return Blocker.UNDECIDED;
    }
    return standsBehind(job) ? Blocker.BEHIND_OTHERS : Blocker.NEXT_ROUND;
  }

  private Explanation waitingForStart(IndexKey index, int ahead, List<RungAccount> rungs) {
    List<Attempt> awaited = List.copyOf(state.awaited());
    Instant first =
        awaited.stream().map(Attempt::startBy).min(Comparator.naturalOrder()).orElseThrow();
    return new Explanation(
        index,
        Blocker.WAITING_FOR_START,
        ahead,
        List.of(),
        Holders.listed(state, awaited),
        Times.until(first),
        WAIT,
        rungs);
  }

  /** Returns whether the round tries the job only after an earlier one that is inadmissible now. */
  private boolean standsBehind(JobEntry job) {
    JobEntry first = job.queue().servedBefore(job);
    if (first == null || job.queue().strict()) {
      return first != null;
    }
    VictimSearch search = new VictimSearch(state);
    FlavorAssignment assignment = least(first, search);
    Victims found = find(search, first, assignment);
    Victims victims = found == null || found.nobody() ? null : found;
    boolean admissible = assignment.mode() == AssignmentMode.FIT || victims != null;
    return !admissible || !permits(first, assignment, victims);
  }

  /**
   * Returns whether planned starts permit an assignment that fits, or that fits without its
   * victims.
   */
  private boolean permits(JobEntry job, FlavorAssignment assignment, @Nullable Victims victims) {
    RoomNeed need = assignment.need();
    if (need == null) {
      return true;
    }
    if (victims != null) {
      return victims.permitted(state.plan().guard(), job, need.usage());
    }
    return assignment.mode() != AssignmentMode.FIT
        || state.plan().guard().permits(job, need.usage());
  }

  private static Explanation besidePlannedStarts(
      IndexKey index, FlavorAssignment assignment, int ahead, List<RungAccount> rungs) {
    List<Obstacle> obstacles = new ArrayList<>(assignment.obstacles());
    PodSetAssignment podSet = assignment.podSets().get(0);
    podSet
        .flavors()
        .forEach(
            (resource, flavor) -> {
              long wanted = podSet.usage().get(resource);
              obstacles.add(
                  new Obstacle(
                      Obstacle.Kind.PLANNED_STARTS,
                      podSet.name(),
                      flavor,
                      resource,
                      wanted,
                      0,
                      wanted));
            });
    return new Explanation(
        index,
        Blocker.PLANNED_STARTS,
        ahead,
        obstacles,
        InTheWay.NOBODY,
        Times.UNKNOWN,
        WAIT,
        rungs);
  }

  /** Returns the victims of a job that has to preempt; null if it has not, or finds none. */
  private @Nullable Victims find(VictimSearch search, JobEntry job, FlavorAssignment assignment) {
    RoomNeed need = assignment.need();
    if (assignment.mode() != AssignmentMode.PREEMPT || need == null) {
      return null;
    }
    Runnable giveBack = state.plan().guard().keepSlicesFrom(job);
    try {
      return search.findPermitted(job, need).orElse(null);
    } finally {
      giveBack.run();
    }
  }

  /** Returns the assignment with the minimum of pods. */
  private FlavorAssignment least(JobEntry job, VictimSearch victims) {
    List<PodSet> podSets = job.workload().shape().leastPodSets();
    Runnable giveBack = state.plan().guard().keepSlicesFrom(job);
    try {
      return new FlavorAssigner(state, victims)
          .assign(
              job,
              state.policy().reducesCounts() ? CountReduction.least(podSets) : podSets,
              ScanPositions.START);
    } finally {
      giveBack.run();
    }
  }

  private static int distance(Obstacle.Kind kind) {
    return switch (kind) {
      case QUOTA_IN_USE -> 0;
      case SLICES_IN_USE, SLICES_SCATTERED, NODES_IN_USE, PLANNED_STARTS -> 1;
      case SLICES_ABSENT, CLUSTER_NOT_REACHED -> 2;
      case TOO_FEW_SLICES, TOO_FEW_NODES -> 3;
      case EXCEEDS_QUOTA -> 4;
      case NODE_SELECTOR, NO_MATCHING_SLICES, NO_TOPOLOGY, ONLY_BY_TOPOLOGY -> 5;
      case UNTOLERATED_TAINT -> 6;
      case RESOURCE_NOT_COVERED -> 7;
    };
  }

  private static Blocker blocker(Obstacle.Kind kind) {
    return switch (kind) {
      case QUOTA_IN_USE -> Blocker.QUOTA_IN_USE;
      case SLICES_IN_USE -> Blocker.SLICES_IN_USE;
      case SLICES_SCATTERED -> Blocker.SLICES_SCATTERED;
      case PLANNED_STARTS -> Blocker.PLANNED_STARTS;
      case SLICES_ABSENT -> Blocker.SLICES_ABSENT;
      case CLUSTER_NOT_REACHED -> Blocker.CLUSTER_NOT_REACHED;
      case TOO_FEW_SLICES -> Blocker.TOO_FEW_SLICES;
      case NO_MATCHING_SLICES -> Blocker.NO_MATCHING_SLICES;
      case EXCEEDS_QUOTA -> Blocker.EXCEEDS_QUOTA;
      case NODES_IN_USE -> Blocker.NODES_IN_USE;
      case TOO_FEW_NODES -> Blocker.TOO_FEW_NODES;
      case NO_TOPOLOGY -> Blocker.NO_TOPOLOGY;
      case ONLY_BY_TOPOLOGY -> Blocker.ONLY_BY_TOPOLOGY;
      case NODE_SELECTOR -> Blocker.NODE_SELECTOR;
      case UNTOLERATED_TAINT -> Blocker.UNTOLERATED_TAINT;
      case RESOURCE_NOT_COVERED -> Blocker.RESOURCE_NOT_COVERED;
    };
  }

  private SmallestChange change(JobEntry job, Obstacle obstacle) {
    return switch (obstacle.kind()) {
      case QUOTA_IN_USE -> change(SmallestChange.Kind.ADD_QUOTA, obstacle, lacking(job, obstacle));
      case EXCEEDS_QUOTA ->
          change(SmallestChange.Kind.ADD_QUOTA, obstacle, obstacle.wanted() - obstacle.most());
      case RESOURCE_NOT_COVERED -> cover(job, obstacle);
      case SLICES_IN_USE, SLICES_SCATTERED, SLICES_ABSENT ->
          change(
              SmallestChange.Kind.ADD_SLICES, obstacle, obstacle.wanted() - obstacle.available());
      case TOO_FEW_SLICES ->
          change(SmallestChange.Kind.ADD_SLICES, obstacle, obstacle.wanted() - obstacle.most());
      case NODES_IN_USE, TOO_FEW_NODES ->
          change(SmallestChange.Kind.ADD_NODES, obstacle, obstacle.wanted() - obstacle.available());
      case NO_TOPOLOGY, ONLY_BY_TOPOLOGY ->
          change(SmallestChange.Kind.CHANGE_TOPOLOGY_REQUEST, obstacle, 0);
      case CLUSTER_NOT_REACHED, PLANNED_STARTS -> SmallestChange.WAIT;
      case NODE_SELECTOR, NO_MATCHING_SLICES ->
          change(SmallestChange.Kind.CHANGE_NODE_SELECTOR, obstacle, 0);
      case UNTOLERATED_TAINT -> change(SmallestChange.Kind.ADD_TOLERATION, obstacle, 0);
    };
  }

  /** Returns the amount of quota that is lacking, including overused quota. */
  private long lacking(JobEntry job, Obstacle obstacle) {
    int number =
        state.ledger().tree().flavorResources().find(obstacle.flavor(), obstacle.resource());
    return obstacle.wanted() - state.ledger().available(job.queue().node(), number);
  }

  /**
   * Suggests quota of a resource that no flavor of the queue covers: in the first flavor of its
   * first group, else in the first flavor at all.
   */
  private SmallestChange cover(JobEntry job, Obstacle obstacle) {
    return Stream.concat(
            job.queue().spec().resourceGroups().stream()
                .flatMap(group -> group.flavors().stream())
                .map(FlavorQuotas::flavor),
            state.objects().flavors().stream().map(flavor -> flavor.meta().name()))
        .findFirst()
        .map(
            flavor ->
                SmallestChange.of(
                    SmallestChange.Kind.ADD_QUOTA, flavor, obstacle.resource(), obstacle.wanted()))
        .orElse(SmallestChange.NONE);
  }

  private static SmallestChange change(SmallestChange.Kind kind, Obstacle obstacle, long amount) {
    return SmallestChange.of(kind, obstacle.flavor(), obstacle.resource(), amount);
  }
}
