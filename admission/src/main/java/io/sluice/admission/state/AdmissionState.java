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
 * The engine's memory. It changes by {@link #apply} and by nothing else; all else that it holds
 * (the quota ledger, the pending indexes, timers) is a function of what the events made and can be
 * made anew by {@link #restore}.
 *
 * <p>Not safe for use by several threads.
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
  private Fleet fleet = Fleet.EMPTY;
  private Instant now = Instant.EPOCH;
  private @Nullable Instant lastRoundAt;

  /** The state before the first event, under the default policy. */
  public AdmissionState() {
    this(EnginePolicy.DEFAULT);
  }

  private AdmissionState(EnginePolicy policy) {
    this.policy = policy;
  }

  /** The state that a snapshot describes, under the default policy. */
  public static AdmissionState restore(StateSnapshot snapshot) {
    return restore(snapshot, EnginePolicy.DEFAULT);
  }

  /** The state that a snapshot describes. */
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

  /** What this remembers. */
  public StateSnapshot snapshot() {
    return StateSnapshot.of(
        this,
        jobs().stream().map(JobEntry::toRecord).toList(),
        holdings.attempts().stream().map(Attempt::toRecord).toList());
  }

  /** Begins a snapshot that is taken while this goes on changing. */
  public SnapshotWalk walk() {
    StateSnapshot others = StateSnapshot.of(this, List.of(), List.of());
    return new SnapshotWalk(this, others, new ArrayList<>(jobs.values()));
  }

  /**
   * Changes the memory as the event says.
   *
   * @param at time of the round that recorded it
   * @throws IllegalStateException if the event contradicts the state
   */
  public void apply(Event event, Instant at) {
    now = at;
    lastRoundAt = at;
    if (evictions.take(event)) {
      tries.unparkAll();
    }
    event.handle(application);
    tries.decided(event.job());
  }

  /** Notes that a round was journaled, which may have had no event. */
  public void noteRound(Instant at) {
    lastRoundAt = at;
  }

  /** Time of the last round that was journaled; null if there was none. */
  public @Nullable Instant lastRoundAt() {
    return lastRoundAt;
  }

  /** The time that the state counts with. */
  public Instant now() {
    return now;
  }

  /**
   * Lets time pass: indices that may be tried again by now come back to their queues.
   *
   * @param until not before the last round
   */
  public void advance(Instant until) {
    now = until;
    localQueueUsage.samples().take();
    for (Timer requeue : Timer.due(timers, now, true)) {
      timers.remove(requeue);
      JobEntry job = jobs.get(requeue.index().job());
      if (job != null && requeue.kind() == Timer.Kind.DRAIN) {
        holdings.countOverdue(job.live(requeue.index().index()));
      } else if (job != null) {
        if (!job.ladder().isEmpty()) {
          // What was parked because of the time is tried again.
          takeOut(job);
        }
        refresh(job);
      }
    }
  }

  /** Limits and deadlines that are due, the earliest first. */
  public List<Timer> due() {
    return Timer.due(timers, now, false);
  }

  /** When something will be due next; null if nothing will. */
  public @Nullable Instant nextTimerAt() {
    Instant first = timers.isEmpty() ? null : timers.first().at();
    Instant others =
        Timer.earlier(slices.standings().nextDueAt(), localQueueUsage.samples().next());
    return Timer.earlier(first, others);
  }

  /** Whether what is due of an attempt will happen, and nothing of it is late. */
  public boolean watches(Attempt attempt) {
    List<Timer> wanted = AttemptTimers.of(attempt);
    return timers.containsAll(wanted)
        && wanted.stream().noneMatch(timer -> timer.at().isBefore(now));
  }

  Set<Timer> timers() {
    return timers;
  }

  /** The jobs and attempts that events touched since this was last called. */
  public Changes collectChanges() {
    return touched.collect();
  }

  /** By which rules is decided. */
  public EnginePolicy policy() {
    return policy;
  }

  public QuotaObjects objects() {
    return objects;
  }

  public Fleet fleet() {
    return fleet;
  }

  /** How the hosts of each flavor stand together. */
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

  /** Which queues are to be tried. */
  public QueueTries tries() {
    return tries;
  }

  /** Who was evicted for whom. */
  public Evictions evictions() {
    return evictions;
  }

  /** What each LocalQueue has used of late. */
  public LocalQueueUsage localQueueUsage() {
    return localQueueUsage;
  }

  /** Who waits for the capacity of which rung. */
  public Ladders ladders() {
    return ladders;
  }

  /** Which jobs of each submitter run, and how many may. */
  public RunningJobs running() {
    return running;
  }

  /** Whether a pending job waits for others of its submitter to end. */
  public boolean withheld(JobEntry job) {
    return job.queue().pending().withholds(job);
  }

  SliceChanges sliceChanges() {
    return sliceChanges;
  }

  /** All ClusterQueues, by name. */
  public Collection<QueueState> queues() {
    return Collections.unmodifiableCollection(queues.values());
  }

  public @Nullable QueueState queue(String clusterQueue) {
    return queues.get(clusterQueue);
  }

  /** The jobs that have not ended, by id: sorted anew each time. */
  public Collection<JobEntry> jobs() {
    List<JobEntry> byId = new ArrayList<>(jobs.values());
    byId.sort(Comparator.comparing(JobEntry::id));
    return Collections.unmodifiableList(byId);
  }

  public @Nullable JobEntry findJob(JobId id) {
    return jobs.get(id);
  }

  /** The attempts that have not ended, by key. */
  public Collection<Attempt> attempts() {
    return holdings.attempts();
  }

  /** The attempts whose jobs may have more or fewer slices, by key. */
  public Collection<Attempt> elastic() {
    return holdings.elastic();
  }

  /** Who has to start before anybody else is admitted, by key; nobody unless the policy says so. */
  public Collection<Attempt> awaited() {
    return policy.starts().blocksAdmission() ? holdings.starting() : List.of();
  }

  public @Nullable Attempt findAttempt(AttemptKey key) {
    return holdings.findAttempt(key);
  }

  /** Live attempts of lower priority whose jobs consent to be evicted, the lowest first. */
  public List<Attempt> preemptibleBelow(int priority) {
    return holdings.preemptibleBelow(priority);
  }

  /** The claims, by holder. */
  public Collection<ClaimState> claims() {
    return holdings.claims();
  }

  public @Nullable ClaimState findClaim(IndexKey holder) {
    return holdings.findClaim(holder);
  }

  int lowestPreemptible() {
    return holdings.lowestPreemptible();
  }

  /** The quota tree and what is used of it. */
  public QuotaLedger ledger() {
    return holdings.ledger();
  }

  /** What the heads of queues may hope for; good until something is decided. */
  public Prospects prospects() {
    return new Prospects(this, shapes);
  }

  /**
   * Whether jobs may be admitted from this LocalQueue at all: it and its ClusterQueue admit, and
   * the ClusterQueue selects its namespace.
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
      queue.setSpec(spec);
      pendingOrder.follow(queue);
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
      throw new IllegalStateException("job is there already: " + job.id());
    }
    refresh(job);
    touched.add(job);
  }

  void endJob(JobEntry job) {
    running.count(job);
    takeOut(job);
    ladders.forget(job);
    jobs.remove(job.id());
    shapes.release(job.shape());
    touched.add(job);
  }

  /** Takes a job out of its queue; who stood behind it may be tried now. */
  void takeOut(JobEntry job) {
    tries.change(job.queue(), pending -> pending.remove(job));
  }

  /** Puts a job where its queue will find it, or takes it away from there. */
  void refresh(JobEntry job) {
    running.count(job);
    boolean pending = admits(job.workload().queue()) && job.nextIndex(now).isPresent();
    if (pending) {
      boolean limited = !job.busy() && running.limit(job.workload().queue()) != null;
      SubmitterKey submitter = limited ? SubmitterKey.of(job.workload()) : null;
      tries.change(job.queue(), jobs -> jobs.add(job, submitter));
    } else {
      takeOut(job);
    }
    Instant notBefore = job.nextNotBefore(now);
    if (notBefore != null) {
      timers.add(new Timer(notBefore, Timer.Kind.REQUEUE, job.index(0)));
    }
  }

  /** What the next batch will tell of. */
  Touched touched() {
    return touched;
  }
}
