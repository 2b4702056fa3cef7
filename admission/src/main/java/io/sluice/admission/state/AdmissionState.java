// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.placement.Topologies;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.fact.QuotaObjects;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.Changes;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.state.record.SubmitterKey;
import io.sluice.admission.state.record.Timer;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Shapes;
import io.sluice.admission.topology.SliceChanges;
import io.sluice.admission.topology.SliceTable;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The engine's in-memory state. Its facts change only by {@link #apply}. Everything else (the quota
 * ledger, pending indexes, timers) is derived from the facts, and {@link #restore} rebuilds it.
 *
 * <p>Not thread-safe.
 */
public final class AdmissionState {
  private final EnginePolicy policy;
  private final QuotaObjects objects = new QuotaObjects();
  private final TreeMap<String, QueueState> queues = new TreeMap<>();
  private final LinkedHashMap<JobId, JobEntry> jobs = new LinkedHashMap<>();
  private final SliceTable slices = new SliceTable();
  private final Shapes shapes = new Shapes();
  private final TreeSet<Timer> timers = new TreeSet<>();
  private final Ladders ladders = new Ladders(this);
  private final LocalQueueUsage localQueueUsage = new LocalQueueUsage(this);
  private final SliceChanges sliceChanges = new SliceChanges(slices);
  private final Holdings holdings = new Holdings(this);
  private final QueueTries tries = new QueueTries(this, shapes);
  private final RunningJobs running = new RunningJobs(this);
  private final OpenQueues openQueues = new OpenQueues(this);
  private final PendingOrder pendingOrder = new PendingOrder(this);
  private final Evictions evictions = new Evictions(this);
  private final Touched touched = new Touched(slices, localQueueUsage, evictions);
  private final EventApplication application = new EventApplication(this);
  private final Plan plan = new Plan(this);
  private Fleet fleet = Fleet.EMPTY;
  private Instant now = Instant.EPOCH;
  private @Nullable Instant lastRoundAt;

  /** Creates the state before the first event, under the default policy. */
  public AdmissionState() {
    this(EnginePolicy.DEFAULT);
  }

  private AdmissionState(EnginePolicy policy) {
    this.policy = policy;
  }

  /** Restores the state of a snapshot, under the default policy. */
  public static AdmissionState restore(StateSnapshot snapshot) {
    return restore(snapshot, EnginePolicy.DEFAULT);
  }

  /** Restores the state of a snapshot. */
  public static AdmissionState restore(StateSnapshot snapshot, EnginePolicy policy) {
    AdmissionState state = new AdmissionState(policy);
    state.lastRoundAt = snapshot.lastRoundAt();
    state.now = snapshot.lastRoundAt() == null ? Instant.EPOCH : snapshot.lastRoundAt();
    snapshot.objects().forEach(state::putObject);
    state.fleet = snapshot.fleet();
    state.slices.setFleet(state.fleet, state.objects.flavors());
    state.holdings.expect(snapshot);
    snapshot.localQueueUsage().forEach(state.localQueueUsage::restore);
    snapshot.jobs().forEach(state::restoreJob);
    snapshot.attempts().forEach(state::restoreAttempt);
    snapshot.claims().forEach(state.holdings::claim);
    snapshot.slices().forEach(state.slices.standings()::restore);
    snapshot.evictions().forEach(state.evictions::add);
    state.jobs.values().forEach(state.ladders::restore);
    state.jobs.values().forEach(state.plan::restore);
    state.holdings.expectNothing();
    state.jobs.values().forEach(state::refresh);
    return state;
  }

  private void restoreJob(JobRecord stored) {
    Workload workload = stored.workload();
    JobEntry job =
        JobEntry.restore(stored, shapes.acquire(workload.shape()), queueOf(workload.queue()));
    job.standBehind(policy.starts().requeuesBehind() ? job.missedAt() : null);
    jobs.put(job.id(), job);
  }

  private void restoreAttempt(AttemptRecord stored) {
    JobEntry job = job(stored.key().job());
    Attempt attempt = Attempt.restore(stored, job, ledger()::count);
    job.restoreLive(attempt);
    holdings.hold(attempt);
    localQueueUsage.restore(attempt);
  }

  /** Returns a snapshot of this state. */
  public StateSnapshot snapshot() {
    return StateSnapshot.of(
        this,
        jobs().stream().map(JobEntry::toRecord).toList(),
        holdings.attempts().stream().map(Attempt::toRecord).toList());
  }

  /** Begins an incremental snapshot, taken while this state continues to change. */
  public SnapshotWalk walk() {
    StateSnapshot others = StateSnapshot.of(this, List.of(), List.of());
    return new SnapshotWalk(this, others, new ArrayList<>(jobs.values()));
  }

  /**
   * Applies an event.
   *
   * @param at time of the round that recorded the event
   * @throws IllegalStateException if the event contradicts the state
   */
  public void apply(Event event, Instant at) {
    now = at;
    lastRoundAt = at;
    if (evictions.take(event)) {
      plan.noteForgottenEvictions();
    }
    event.handle(application);
    tries.decided(event.job());
  }

  /** Records the time of a journaled round, even if the round had no events. */
  public void noteRound(Instant at) {
    lastRoundAt = at;
  }

  /** Returns the time of the last journaled round; null if there was none. */
  public @Nullable Instant lastRoundAt() {
    return lastRoundAt;
  }

  /** Returns the current time of the state. */
  public Instant now() {
    return now;
  }

  /**
   * Advances the time, and returns indices whose requeue delay has passed to their queues.
   *
   * @param until the new time; not before the last round
   */
  public void advance(Instant until) {
    now = until;
    plan.advance();
    localQueueUsage.samples().take();
    for (Timer requeue : Timer.due(timers, now, true)) {
      timers.remove(requeue);
      JobEntry job = jobs.get(requeue.index().job());
      if (job != null && !holdings.fire(requeue, job)) {
        if (!job.ladder().isEmpty()) {
          // What was parked because of the time is tried again.
          takeOut(job);
        }
        refresh(job);
      }
    }
  }

  /** Returns the timers of limits and deadlines that are due, earliest first. */
  public List<Timer> due() {
    return Timer.due(timers, now, false);
  }

  /** Returns the time of the next timer; null if there is none. */
  public @Nullable Instant nextTimerAt() {
    Instant first = timers.isEmpty() ? null : timers.first().at();
    Instant others =
        Timer.earlier(slices.standings().nextDueAt(), localQueueUsage.samples().next());
    return Timer.earlier(Timer.earlier(first, others), plan.nextRoundAt());
  }

  /** Returns whether all timers of an attempt are set and none is overdue. */
  public boolean watches(Attempt attempt) {
    List<Timer> wanted = AttemptTimers.of(attempt);
    return timers.containsAll(wanted)
        && wanted.stream().noneMatch(timer -> timer.at().isBefore(now));
  }

  Set<Timer> timers() {
    return timers;
  }

  /** Returns the jobs and attempts changed since the last call. */
  public Changes collectChanges() {
    return touched.collect();
  }

  /** Returns the policy under which the engine decides. */
  public EnginePolicy policy() {
    return policy;
  }

  public QuotaObjects objects() {
    return objects;
  }

  public Fleet fleet() {
    return fleet;
  }

  /** Returns the topologies of the flavors. */
  public Topologies topologies() {
    return holdings.topologies();
  }

  void forgetTopologies() {
    holdings.forgetTopologies();
    tries.unparkAll();
  }

  public SliceTable slices() {
    return slices;
  }

  Holdings holdings() {
    return holdings;
  }

  /** Tracks which queues are to be tried. */
  public QueueTries tries() {
    return tries;
  }

  /** Returns the planned starts. */
  public Plan plan() {
    return plan;
  }

  /** Returns the pairs of victim and preemptor. */
  public Evictions evictions() {
    return evictions;
  }

  /** Returns the recent usage of LocalQueues. */
  public LocalQueueUsage localQueueUsage() {
    return localQueueUsage;
  }

  /** Returns the progress of jobs on the rungs of their classes. */
  public Ladders ladders() {
    return ladders;
  }

  /** Returns the running jobs of each submitter, and their limits. */
  public RunningJobs running() {
    return running;
  }

  /** Returns whether a pending job waits for running jobs of its submitter to end. */
  public boolean withheld(JobEntry job) {
    return job.queue().pending().withholds(job);
  }

  SliceChanges sliceChanges() {
    return sliceChanges;
  }

  /** Returns all ClusterQueues, by name. */
  public Collection<QueueState> queues() {
    return Collections.unmodifiableCollection(queues.values());
  }

  public @Nullable QueueState queue(String clusterQueue) {
    return queues.get(clusterQueue);
  }

  /** Returns the jobs that have not ended, by id; each call sorts them. */
  public Collection<JobEntry> jobs() {
    List<JobEntry> byId = new ArrayList<>(jobs.values());
    byId.sort(Comparator.comparing(JobEntry::id));
    return Collections.unmodifiableList(byId);
  }

  public @Nullable JobEntry findJob(JobId id) {
    return jobs.get(id);
  }

  /** Returns the attempts that have not ended, by key. */
  public Collection<Attempt> attempts() {
    return holdings.attempts();
  }

  /** Returns the attempts of elastic jobs, by key. */
  public Collection<Attempt> elastic() {
    return holdings.elastic();
  }

  /**
   * Returns the attempts that block admission until they start, by key; empty unless the policy
   * blocks.
   */
  public Collection<Attempt> awaited() {
    return policy.starts().blocksAdmission() ? holdings.starting() : List.of();
  }

  public @Nullable Attempt findAttempt(AttemptKey key) {
    return holdings.findAttempt(key);
  }

  /** Returns live preemptible attempts below a priority, lowest first. */
  public List<Attempt> preemptibleBelow(int priority) {
    return holdings.preemptibleBelow(priority);
  }

  /** Returns the claims, by holder. */
  public Collection<ClaimState> claims() {
    return holdings.claims();
  }

  public @Nullable ClaimState findClaim(IndexKey holder) {
    return holdings.findClaim(holder);
  }

  int lowestPreemptible() {
    return holdings.lowestPreemptible();
  }

  /** Returns the quota tree with its usage. */
  public QuotaLedger ledger() {
    return holdings.ledger();
  }

  /** Returns upper bounds of the room for heads, valid until the next decision. */
  public Prospects prospects() {
    return new Prospects(this, shapes);
  }

  /**
   * Returns whether a LocalQueue may admit jobs: it and its ClusterQueue are not stopped, and the
   * ClusterQueue selects its namespace.
   */
  public boolean admits(QueueKey queue) {
    return openQueues.admits(queue);
  }

  QueueState queueOf(QueueKey key) {
    return openQueues.queueOf(key);
  }

  QueueState queueOf(LocalQueue local) {
    return Objects.requireNonNull(queues.get(local.clusterQueue()), local.clusterQueue());
  }

  JobEntry job(JobId id) {
    JobEntry job = jobs.get(id);
    if (job == null) {
      throw new IllegalStateException("no such job: " + id);
    }
    return job;
  }

  Attempt attempt(AttemptKey key) {
    Attempt attempt = holdings.findAttempt(key);
    if (attempt == null) {
      throw new IllegalStateException("no such attempt: " + key);
    }
    return attempt;
  }

  void putObject(QuotaObject object) {
    objects.put(object);
    openQueues.forget();
    holdings.forgetLedger();
    object.handle(new ObjectChange(this));
  }

  void putQueue(ClusterQueue spec) {
    QueueState queue = queues.get(spec.meta().name());
    if (queue == null) {
      queues.put(spec.meta().name(), new QueueState(spec, pendingOrder.none(spec)));
    } else {
      ClusterQueue before = queue.spec();
      queue.setSpec(spec);
      pendingOrder.follow(queue);
      new QueuePlaces(this).rank(queue, before);
    }
    openQueues.forget();
  }

  void removeObject(ObjectKey key) {
    QuotaObject removed = objects.remove(key);
    openQueues.forget();
    holdings.forgetLedger();
    if (removed != null) {
      removed.handle(new ObjectRemoval(this));
    }
  }

  void removeQueue(String name) {
    QueueState removed = queues.remove(name);
    openQueues.forget();
    plan.forget(PlanChange.QUOTA_CHANGED);
    if (removed != null && !removed.live().isEmpty()) {
      throw new IllegalStateException("ClusterQueue " + name + " still has live attempts");
    }
  }

  void setFleet(Fleet changed) {
    sliceChanges.replaceFleet(fleet, changed);
    fleet = changed;
    forgetTopologies();
    reofferSlices();
  }

  void reofferSlices() {
    slices.setFleet(fleet, objects.flavors());
    tries.unparkAll();
  }

  void refreshAll() {
    jobs.values().forEach(this::refresh);
    tries.unparkAll();
  }

  void addJob(Workload workload) {
    QueueState queue = queueOf(workload.queue());
    JobEntry job = new JobEntry(workload, shapes.acquire(workload.shape()), queue);
    if (jobs.putIfAbsent(job.id(), job) != null) {
      throw new IllegalStateException("job already exists: " + job.id());
    }
    refresh(job);
    touched.add(job);
  }

  void endJob(JobEntry job) {
    running.count(job);
    takeOut(job);
    plan.remove(job);
    ladders.forget(job);
    jobs.remove(job.id());
    shapes.release(job.shape());
    touched.add(job);
  }

  /** Removes a job from its queue, which is then tried again. */
  void takeOut(JobEntry job) {
    tries.change(job.queue(), pending -> pending.remove(job));
  }

  /** Updates whether a job is pending and where it stands in its queue. */
  void refresh(JobEntry job) {
    running.count(job);
    if (admits(job.workload().queue()) && job.nextIndex(now).isPresent()) {
      boolean limited = !job.busy() && running.limit(job.workload().queue()) != null;
      SubmitterKey submitter = limited ? SubmitterKey.of(job.workload()) : null;
      tries.change(job.queue(), jobs -> jobs.add(job, submitter, plan.boundStay(job)));
      plan.renew(job);
    } else {
      takeOut(job);
      if (job.planned() != null) {
        plan.remove(job);
        touched.add(job);
      }
    }
    Instant notBefore = job.nextNotBefore(now);
    if (notBefore != null) {
      timers.add(new Timer(notBefore, Timer.Kind.REQUEUE, job.index(0)));
    }
  }

  /** Returns the jobs and attempts that the next batch reports as changed. */
  Touched touched() {
    return touched;
  }
}
