// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.admission.cycle.isolated.SecondPass;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.IndexProgress;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.QueueKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The engine's state as a case describes it. */
final class CaseWorld {
  private static final int GENERATION = 1;

  /** It is the name of no flavor, so who may be given this only is given nothing. */
  private static final List<String> NO_FLAVOR = List.of("");

  private final ConformanceCase asked;
  private final CaseFaults faults = new CaseFaults();
  private final CaseQueues queues;
  private final List<CaseWorkload> workloads = new ArrayList<>();
  private final QueueTimestamp timestamp;
  private final SortedMap<String, JobId> ids = new TreeMap<>();
  private final SortedMap<JobId, CaseWorkload> byId = new TreeMap<>();
  private final SortedMap<JobId, String> clusterQueues = new TreeMap<>();
  private final List<JobRecord> jobs = new ArrayList<>();
  private final List<AttemptRecord> attempts = new ArrayList<>();
  private final AdmissionState state;

  /** The state with the workloads of the case's objects. */
  CaseWorld(ConformanceCase asked) {
    this(asked, null, "");
  }

  /**
   * The state with one workload more.
   *
   * @param incoming null: there is none
   * @param clusterQueue in which that is pending
   */
  CaseWorld(ConformanceCase asked, @Nullable CaseWorkload incoming, String clusterQueue) {
    this.asked = asked;
    this.queues = new CaseQueues(asked.objects(), asked.gates(), faults);
    this.timestamp = QueueTimestamp.usual(asked.gates());
    for (JsonNode object : asked.objects().path("workloads")) {
      workloads.add(new CaseWorkload(object, asked.gates()));
    }
    if (incoming != null) {
      workloads.add(incoming);
    }
    List<CaseWorkload> inOrder = new ArrayList<>(workloads);
    inOrder.sort(Comparator.comparing(CaseWorkload::reference));
    WorkloadNumbers numbers = new WorkloadNumbers(inOrder);
    for (int place = 0; place < inOrder.size(); place++) {
      CaseWorkload workload = inOrder.get(place);
      int number = place;
      if (!workload.finished() && !workload.standsForVariants()) {
        boolean forced = workload.equals(incoming);
        faults.read(
            "Workload " + workload.reference(),
            () -> enter(numbers, number, workload, forced ? clusterQueue : null));
      }
    }
    this.state =
        AdmissionState.restore(
            new StateSnapshot(
                asked.now(),
                queues.all(),
                fleet(),
                jobs,
                attempts,
                List.of(),
                List.of(),
                List.of(),
                UsageReading.usage(asked.action().path("initialLocalQueueUsage"), asked.now())),
            asked.policy());
  }

  /** Enters a workload; true, for it is a reading like others. */
  private boolean enter(
      WorkloadNumbers numbers, int place, CaseWorkload workload, @Nullable String clusterQueue) {
    boolean holds = clusterQueue == null && workload.holdsQuota();
    String forced = holds ? workload.admittedBy() : clusterQueue;
    QueueKey queue =
        forced == null ? queues.localQueue(workload) : queues.localQueueOf(workload, forced);
    if (queue == null) {
      if (forced != null) {
        throw new UnanswerableCaseException("there is no ClusterQueue \"" + forced + "\"");
      }
      return false;
    }
    boolean barred =
        !holds && clusterQueue == null && !queues.mayAdmit(queues.targetOf(queue), workload);
    // Who holds quota asks for nothing more, so only what pending work asks for is read.
    WorkloadShape shape =
        new WorkloadShape(
            holds ? List.of() : workload.podSets(),
            null,
            null,
            barred ? NO_FLAVOR : workload.onlyFlavors());
    Workload read = numbers.workload(place, workload, timestamp, queue, shape);
    SortedMap<Integer, IndexProgress> progress = new TreeMap<>();
    if (holds) {
      List<PodSetAssignment> held = workload.assignments();
      attempts.add(
          attempt(read.id(), workload, new Assignment(queues.targetOf(queue), held, List.of())));
      progress.put(0, new IndexProgress(1, 0, 0, null));
    }
    jobs.add(
        new JobRecord(
            read,
            JobState.PENDING,
            IndexRanges.NONE,
            IndexRanges.NONE,
            new JobRecord.Asked(null, null),
            "",
            progress,
            new TreeMap<>()));
    ids.put(workload.reference(), read.id());
    byId.put(read.id(), workload);
    clusterQueues.put(read.id(), queues.targetOf(queue));
    return true;
  }

  private AttemptRecord attempt(JobId job, CaseWorkload workload, Assignment assignment) {
    JsonNode reserved = workload.condition("QuotaReserved");
    Instant since = reserved == null ? null : CaseFields.instant(reserved, "lastTransitionTime");
    Instant admittedAt = since == null ? asked.now() : since;
    boolean draining = workload.evicted();
    // A case knows no start deadline: a server must take the workload for one that has started.
    AttemptState holds = asked.live() ? AttemptState.RUNNING : AttemptState.ADMITTED;
    return new AttemptRecord(
        new AttemptKey(job, 0, 1),
        GENERATION,
        draining ? AttemptState.DRAINING : holds,
        assignment,
        List.of(),
        new AttemptRecord.Times(
            admittedAt,
            asked.live() ? admittedAt : null,
            draining ? admittedAt : null,
            AttemptRecord.Progress.NONE,
            null,
            null,
            null),
        draining ? Drain.of(DrainCause.PREEMPTED) : null,
        null);
  }

  AdmissionState state() {
    return state;
  }

  CaseFaults faults() {
    return faults;
  }

  CaseQueues queues() {
    return queues;
  }

  /** All workloads of the case, in its order, those with faults too. */
  List<CaseWorkload> workloads() {
    return workloads;
  }

  /** The id of a workload; null if it has none, because it is in no queue or has a fault. */
  @Nullable JobId id(String reference) {
    return ids.get(reference);
  }

  /** The ClusterQueue in which a workload is. */
  String clusterQueue(JobId id) {
    String queue = clusterQueues.get(id);
    if (queue == null) {
      throw new IllegalStateException("no workload " + id);
    }
    return queue;
  }

  CaseWorkload workload(JobId id) {
    CaseWorkload known = byId.get(id);
    if (known == null) {
      throw new IllegalStateException("no workload " + id);
    }
    return known;
  }

  /** The job of the workload that was added. */
  JobEntry job(CaseWorkload workload) {
    JobId id = ids.get(workload.reference());
    JobEntry job = id == null ? null : state.findJob(id);
    if (job == null) {
      throw new UnanswerableCaseException(
          "workload "
              + workload.reference()
              + " is not in a queue: "
              + faults.of("Workload " + workload.reference()));
    }
    return job;
  }

  /** Whether an edit of quota leaves searches through flavors where they are. */
  boolean keepsPositions() {
    return asked.gates().on("FlavorFungibilityPreserveScanProgress");
  }

  private Fleet fleet() {
    return new Fleet(ExecutorKind.SIMULATED, TopologyReading.hosts(asked.objects()), List.of());
  }

  /** Those that hold quota and look for places: nodes have come for them, or were lost. */
  List<SecondPass> secondPasses() {
    List<SecondPass> passes = new ArrayList<>();
    for (CaseWorkload workload : workloads) {
      JobId id = ids.get(workload.reference());
      if (id != null && workload.holdsQuota() && workload.looksForPlaces()) {
        passes.add(
            new SecondPass(
                new AttemptKey(id, 0, 1),
                workload.podSetsOfPass(),
                workload.lostHosts(),
                workload.cannotMove()));
      }
    }
    return passes;
  }
}
