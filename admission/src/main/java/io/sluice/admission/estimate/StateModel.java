// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import io.sluice.admission.estimate.DrainModel.QueueRule;
import io.sluice.admission.estimate.DrainModel.RunningAttempt;
import io.sluice.admission.estimate.DrainModel.WaitingJob;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link DrainModel} of a state: the first waiting jobs of each queue, in the order of
 * their queues and between queues by priority and age, and the attempts that share quota with them.
 */
final class StateModel {
  /** Maximum number of waiting jobs of a queue, and of all queues. */
  static final int QUEUE_JOBS_MAX = 1_000;

  static final int JOBS_MAX = 5_000;

  /** Maximum number of indices of a job that are considered. */
  private static final int COPIES_MAX = 64;

  private static final long AMOUNT_MAX = 1L << 50;
  private static final long LIMIT_MAX = 1L << 60;
  private static final double MICROS = 1e6;

  /** The rest of a queue, with its next job. */
  private record Line(JobEntry first, Iterator<JobEntry> others, int number) {}

  private final AdmissionState state;
  private final Instant now;
  private final FlavorAssigner assigner;
  private final RoomCells room = new RoomCells();
  private final TreeMap<Long, Integer> quotaCells = new TreeMap<>();
  private final TreeMap<SlicePool, Integer> sliceCells = new TreeMap<>();
  private final TreeMap<SlicePool, Long> slicesHeld = new TreeMap<>();
  private final TreeMap<Long, List<Demand>> optionsOfShape = new TreeMap<>();
  private final TreeMap<Long, Integer> shapes = new TreeMap<>();
  private final BitSet roots = new BitSet();

  private StateModel(AdmissionState state, Instant now) {
    this.state = state;
    this.now = now;
    this.assigner = new FlavorAssigner(state, PreemptionOracle.NOBODY);
  }

  static DrainModel of(AdmissionState state, Instant now) {
    return new StateModel(state, now).build();
  }

  private DrainModel build() {
    for (Attempt attempt : state.attempts()) {
      SlicePool pool = attempt.pool();
      if (pool != null) {
        slicesHeld.merge(pool, (long) attempt.heldSlices().size(), Long::sum);
      }
    }
    PriorityQueue<Line> lines =
        new PriorityQueue<>(Comparator.comparing(Line::first).thenComparingInt(Line::number));
    int queues = 0;
    for (QueueState queue : state.queues()) {
      Iterator<JobEntry> jobs = queue.waiting(null);
      if (jobs.hasNext()) {
        lines.add(new Line(jobs.next(), jobs, queues));
        queues++;
      }
    }
    int[] taken = new int[queues];
    List<WaitingJob> waiting = new ArrayList<>();
    boolean truncated = false;
    while (!lines.isEmpty()) {
      Line line = lines.remove();
      truncated |= taken[line.number()] == QUEUE_JOBS_MAX || waiting.size() == JOBS_MAX;
      if (taken[line.number()] < QUEUE_JOBS_MAX && waiting.size() < JOBS_MAX) {
        taken[line.number()]++;
        WaitingJob job = waiting(line.first(), line.number());
        if (job != null) {
          waiting.add(job);
        }
        if (line.others().hasNext()) {
          lines.add(new Line(line.others().next(), line.others(), line.number()));
        }
      }
    }
    return new DrainModel(room, running(), waiting, queues, truncated);
  }

  private @Nullable WaitingJob waiting(JobEntry job, int queue) {
    long key = ((long) job.queue().node() << Integer.SIZE) | job.shapeNumber();
    List<Demand> options = optionsOfShape.get(key);
    if (options == null) {
      options = options(job);
      optionsOfShape.put(key, options);
      shapes.put(key, shapes.size());
    }
    if (options.isEmpty()) {
      return null;
    }
    long stay = state.plan().stay(job);
    PlannedStart planned = job.planned();
    Instant at = planned == null || !planned.firm() ? null : planned.at();
    return new WaitingJob(
        job.id(),
        queue,
        rule(job.queue()),
        options,
        shapes.getOrDefault(key, 0),
        job.attempts(0) == 0,
        copies(job),
        JobKind.of(job.workload(), job.queue().name()),
        stay == Ticks.NEVER ? DrainModel.NEVER : stay / MICROS,
        at == null ? DrainModel.NEVER : Math.max(0, secondsUntil(at)),
        seed(job.id(), 0));
  }

  private static QueueRule rule(QueueState queue) {
    if (queue.strict()) {
      return QueueRule.STRICT;
    }
    return queue.plannedDepth() > 0 ? QueueRule.PLANNED : QueueRule.PASSED;
  }

  private static int copies(JobEntry job) {
    JobArray array = job.workload().array();
    int left = array.count() - job.endedCount() - job.takenIndices();
    int parallel = array.maxParallel() - job.takenIndices();
    return Math.max(1, Math.min(COPIES_MAX, Math.min(left, parallel)));
  }

  private static long seed(JobId id, int index) {
    return id.value().getMostSignificantBits() * 31 + id.value().getLeastSignificantBits() + index;
  }

  private double secondsUntil(Instant time) {
    return JobKind.seconds(Duration.between(now, time));
  }

  private List<Demand> options(JobEntry job) {
    List<Demand> options = new ArrayList<>();
    for (FlavorAssignment option : assigner.inEmptyFleet(job)) {
      RoomNeed need = option.need();
      if (need != null) {
        roots.set(state.ledger().tree().root(need.usage().node()));
        options.add(demand(need.usage(), need.pool(), need.slices()));
      }
    }
    return options;
  }

  private Demand demand(Usage usage, @Nullable SlicePool pool, long slices) {
    int quotas = usage.size();
    int[] cells = new int[quotas + (pool == null ? 0 : 1)];
    long[] amounts = new long[cells.length];
    for (int at = 0; at < quotas; at++) {
      cells[at] = quotaCell(usage.node(), usage.flavorResource(at));
      amounts[at] = Math.min(AMOUNT_MAX, usage.amount(at));
    }
    if (pool != null) {
      cells[quotas] = sliceCell(pool);
      amounts[quotas] = slices;
    }
    return new Demand(cells, amounts);
  }

  private int quotaCell(int node, int number) {
    QuotaTree tree = state.ledger().tree();
    long key = (long) node * tree.flavorResources().size() + number;
    Integer known = quotaCells.get(key);
    if (known != null) {
      return known;
    }
    int parent = tree.hasParent(node) ? quotaCell(tree.parent(node), number) : -1;
    int cell =
        room.add(
            parent,
            Math.min(LIMIT_MAX, tree.usageLimit(node, number)),
            Math.min(LIMIT_MAX, tree.localQuota(node, number)));
    quotaCells.put(key, cell);
    return cell;
  }

  /** Slices that hold other pools' attempts now are left out, because their ends are not known. */
  private int sliceCell(SlicePool pool) {
    Integer known = sliceCells.get(pool);
    if (known != null) {
      return known;
    }
    long held = slicesHeld.getOrDefault(pool, 0L);
    int cell = room.add(-1, held + state.slices().countFree(pool, null), 0);
    sliceCells.put(pool, cell);
    return cell;
  }

  private List<RunningAttempt> running() {
    List<RunningAttempt> running = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      Usage held = attempt.held();
      SlicePool pool = attempt.pool();
      boolean shares = pool != null && sliceCells.containsKey(pool);
      if (shares || roots.get(state.ledger().tree().root(held.node()))) {
        running.add(running(attempt, demand(held, pool, attempt.heldSlices().size())));
      }
    }
    running.forEach(attempt -> room.use(attempt.demand(), 1));
    return running;
  }

  private RunningAttempt running(Attempt attempt, Demand demand) {
    Instant started = attempt.startedAt();
    Instant latest = attempt.latestEnd(state.policy().ends());
    Instant told = attempt.drainingAt();
    double end =
        told == null || attempt.overdue()
            ? DrainModel.NEVER
            : secondsUntil(told.plus(attempt.gracePeriod()));
    return new RunningAttempt(
        demand,
        JobKind.of(attempt.job().workload(), attempt.job().queue().name()),
        started == null ? 0 : Math.max(0, -secondsUntil(started)),
        Math.max(0, end),
        latest == null ? DrainModel.NEVER : Math.max(0, secondsUntil(latest)),
        seed(attempt.key().job(), attempt.key().index()));
  }
}
