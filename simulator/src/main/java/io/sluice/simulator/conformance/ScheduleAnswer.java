// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.cycle.isolated.CycleMemory;
import io.sluice.admission.cycle.isolated.HeadOutcome;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.NoFitReason;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.TopologyDelay;
import io.sluice.queuemodel.job.JobId;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The result for each workload of a scheduling case. */
final class ScheduleAnswer {
  private static final String REPLACED = "WorkloadSliceReplaced";
  private static final String MIGRATED = "FlavorMigration";

  private final CaseWorld world;
  private final AdmissionState state;
  private final SortedSet<String> deleted;
  private final CycleMemory memory;
  private final SortedMap<JobId, Event.Admitted> admissions = new TreeMap<>();
  private final SortedMap<JobId, Drain> drains = new TreeMap<>();
  private final SortedMap<JobId, List<PodSetAssignment>> placed = new TreeMap<>();
  private final SortedSet<JobId> finished = new TreeSet<>();
  private final ObjectNode answer = CaseFields.object();

  ScheduleAnswer(
      CaseWorld world, List<Event> events, SortedSet<String> deleted, CycleMemory memory) {
    this.memory = memory;
    this.world = world;
    this.state = world.state();
    this.deleted = deleted;
    for (Event event : events) {
      if (event instanceof Event.Admitted admitted) {
        admissions.put(admitted.attempt().job(), admitted);
      } else if (event instanceof Event.AttemptDraining draining) {
        drains.put(draining.attempt().job(), draining.drain());
      } else if (event instanceof Event.PodsPlaced places) {
        placed.put(places.attempt().job(), places.podSets());
      } else if (event instanceof Event.JobFinished end) {
        finished.add(end.job());
      }
    }
  }

  ObjectNode write() {
    for (String member :
        List.of(
            "admitted",
            "reassigned",
            "unchanged",
            "preempted",
            "evicted",
            "finished",
            "pending",
            "inadmissible",
            "notQueued")) {
      answer.putArray(member);
    }
    for (CaseWorkload workload : world.workloads()) {
      boolean gone = deleted.contains(workload.reference()) || workload.finished();
      if (!gone && !world.faults().has("Workload " + workload.reference())) {
        put(workload);
      }
    }
    world.faults().write(answer);
    return answer;
  }

  private void put(CaseWorkload workload) {
    JobId id = world.id(workload.reference());
    if (workload.holdsQuota()) {
      putHolder(workload, id);
    } else if (id == null) {
      list("notQueued").add(workload.reference());
    } else if (admissions.containsKey(id)) {
      putAdmitted(workload, admissions.get(id));
    } else {
      JobEntry job = state.findJob(id);
      boolean parked = job != null && job.queue().pending().isParked(job);
      list(parked ? "inadmissible" : "pending").add(workload.reference());
      HeadOutcome outcome = memory.outcome(id);
      if (outcome != null) {
        answer
            .withObject("/unadmittedReasons")
            .put(workload.reference(), reason(outcome, workload, id));
      }
    }
  }

  private String reason(HeadOutcome outcome, CaseWorkload workload, JobId id) {
    return switch (outcome) {
      case NO_FIT -> noFitReason(workload, id);
      case NO_CANDIDATES, NO_LONGER_FITS -> NoFitReason.WAITING_FOR_QUOTA.word();
      case GATED -> "AdmissionGated";
      case HELD_BACK, MAY_NOT_MIGRATE -> "PendingEvaluation";
      case WAITS_FOR_VICTIMS -> "WaitingForPreemptedWorkloads";
    };
  }

  private String noFitReason(CaseWorkload workload, JobId id) {
    FlavorAssignment assignment = memory.assignment(id);
    String queue = world.clusterQueue(id);
    QueueState known = state.queue(queue);
    return assignment == null || known == null || !world.queues().mayAdmit(queue, workload)
        ? "Misconfigured"
        : NoFitReason.of(known.spec(), assignment).word();
  }

  private ArrayNode list(String member) {
    return (ArrayNode) answer.get(member);
  }

  private void putHolder(CaseWorkload workload, @Nullable JobId id) {
    Drain drain = id == null ? null : drains.get(id);
    JsonNode before = workload.condition("Evicted");
    if (id != null && finished.contains(id)) {
      list("finished").addObject().put("workload", workload.reference()).put("reason", REPLACED);
    } else if (drain != null && drain.cause() == DrainCause.MIGRATED) {
      list("evicted").addObject().put("workload", workload.reference()).put("reason", MIGRATED);
    } else if (drain != null && drain.preemption() != null) {
      list("evicted").addObject().put("workload", workload.reference()).put("reason", "Preempted");
      list("preempted")
          .addObject()
          .put("workload", workload.reference())
          .put("clusterQueue", workload.admittedBy())
          .put("reason", drain.preemption().reason().word())
          .put("preemptor", world.workload(drain.preemption().preemptor().job()).reference());
    } else if (drain != null) {
      list("evicted")
          .addObject()
          .put("workload", workload.reference())
          .put("reason", "NodeFailures");
    } else if (id != null && placed.containsKey(id)) {
      ObjectNode written = list("reassigned").addObject();
      put(written, workload, new Assignment(workload.admittedBy(), placed.get(id), List.of()));
    } else if (before != null) {
      list("evicted")
          .addObject()
          .put("workload", workload.reference())
          .put("reason", CaseFields.text(before, "reason", ""));
    } else {
      list("unchanged").add(workload.reference());
    }
  }

  private void putAdmitted(CaseWorkload workload, Event.Admitted admission) {
    put(list("admitted").addObject(), workload, admission.assignment());
  }

  private void put(ObjectNode written, CaseWorkload workload, Assignment assignment) {
    written.put("workload", workload.reference());
    written.put("clusterQueue", assignment.clusterQueue());
    ArrayNode podSets = written.putArray("podSets");
    boolean placed = true;
    for (PodSetAssignment podSet : assignment.podSets()) {
      ObjectNode given = podSets.addObject();
      given.put("name", podSet.name());
      given.put("count", podSet.count());
      ObjectNode flavors = given.putObject("flavors");
      podSet.flavors().forEach((resource, flavor) -> flavors.put(resource.value(), flavor));
      CaseFields.put(given.putObject("resourceUsage"), podSet.usage());
      if (podSet.topology() != null) {
        TopologyReading.put(given.putObject("topologyAssignment"), podSet.topology());
      }
      if (podSet.delay() != null) {
        given.put("delayedTopologyRequest", podSet.delay().word());
        placed &= podSet.delay() == TopologyDelay.READY;
      }
    }
    written.put("admitted", placed && checksAreReady(workload, assignment));
  }

  /** Whether all checks of the workload, and of its queue, are ready. */
  private boolean checksAreReady(CaseWorkload workload, Assignment assignment) {
    SortedMap<String, String> states = new TreeMap<>();
    for (JsonNode check : workload.object().path("status").path("admissionChecks")) {
      states.put(CaseFields.text(check, "name", ""), CaseFields.text(check, "state", ""));
    }
    boolean ready = states.values().stream().allMatch("Ready"::equals);
    for (String required : world.queues().checksFor(assignment)) {
      ready &= "Ready".equals(states.get(required));
    }
    return ready;
  }
}
