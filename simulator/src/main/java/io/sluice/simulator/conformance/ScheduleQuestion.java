// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.AdmissionRound;
import io.sluice.admission.cycle.isolated.CycleMemory;
import io.sluice.admission.cycle.isolated.IsolatedCycle;
import io.sluice.admission.cycle.isolated.JobRelations;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.event.AttemptOutcome;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.policy.FairWeight;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Answers the decisions of cycles or rounds, with deletions and edits between them. */
final class ScheduleQuestion implements CaseQuestion {
  private static final int ROUNDS_MAX = 100;
  private static final int CYCLES_MAX = 1_000;

  /** More than heads and flavors of any case, so that each was tried since the last event. */
  private static final int CYCLES_QUIET = 50;

  @Override
  public ObjectNode answer(ConformanceCase asked) {
    CaseWorld world = new CaseWorld(asked);
    Run run = new Run(world, asked.rule(), asked.now());
    for (JsonNode step : asked.action().path("steps")) {
      run.step(step);
    }
    boolean lost = asked.action().path("injectedErrors").hasNonNull("workloadStatusWrite");
    return new ScheduleAnswer(world, lost ? List.of() : run.events, run.deleted, run.memory)
        .write();
  }

  /** The steps of a case on its state. */
  private static final class Run {
    private final CaseWorld world;
    private final AdmissionState state;
    private final CaseRule rule;
    private final Instant now;
    private final List<Event> events = new ArrayList<>();
    private final SortedSet<String> deleted = new TreeSet<>();
    private final CycleMemory memory;

    Run(CaseWorld world, CaseRule rule, Instant now) {
      this.world = world;
      this.state = world.state();
      this.rule = rule;
      this.now = now;
      this.memory = new CycleMemory(relations(world));
      memory.addSecondPasses(world.secondPasses());
    }

    private static JobRelations relations(CaseWorld world) {
      JobRelations relations = new JobRelations();
      world.queues().lastFlavorsOfMigrations().forEach(relations::migrateUpTo);
      for (CaseWorkload workload : world.workloads()) {
        JobId id = world.id(workload.reference());
        if (id != null) {
          relate(world, workload, id, relations);
        }
      }
      return relations;
    }

    private static void relate(
        CaseWorld world, CaseWorkload workload, JobId id, JobRelations relations) {
      if (workload.gated()) {
        relations.gate(id);
      }
      String named = workload.predecessor();
      JobId predecessor = named == null ? null : world.id(named);
      if (predecessor != null) {
        relations.succeed(id, predecessor);
      }
      JobRelations.Variant variant = workload.variant();
      if (variant != null) {
        relations.vary(id, variant);
      }
      if (workload.holdsQuota() && workload.condition("Admitted") == null) {
        relations.awaitChecks(id);
      }
    }

    void step(JsonNode step) {
      String op = CaseFields.text(step, "op", "");
      switch (op) {
        case "cycle" -> decide();
        case "deleteWorkloads" -> CaseFields.texts(step.path("workloads")).forEach(this::delete);
        // What is parked is tried again when room appears, without being asked for.
        case "requeueInadmissible" -> {}
        case "setNominalQuota" -> setNominalQuota(step);
        case "deleteLocalQueueObject" -> forgetWeights(step);
        default -> throw new UnanswerableCaseException("step " + op + " is not there yet");
      }
    }

    private void decide() {
      switch (rule) {
        case CYCLE -> cycle();
        case CYCLES -> {
          // Each cycle without an event parks a head or moves on in its flavors.
          int quiet = 0;
          for (int left = CYCLES_MAX; left > 0 && quiet < CYCLES_QUIET; left--) {
            quiet = cycle() ? 0 : quiet + 1;
          }
        }
        case ROUND -> round();
      }
    }

    /** Runs an isolated cycle; whether it decided anything. */
    private boolean cycle() {
      List<Event> decided = new IsolatedCycle(state, memory).decide(now);
      events.addAll(decided);
      return !decided.isEmpty();
    }

    /** Runs a round, as a server does without any input. */
    private void round() {
      AdmissionEngine engine = new AdmissionEngine(state);
      for (int left = ROUNDS_MAX; left > 0; left--) {
        AdmissionEngine.Round round = engine.decide(List.of(), now, AdmissionRound.DECISIONS_MAX);
        events.addAll(round.events());
        if (!round.more()) {
          return;
        }
      }
      throw new UnanswerableCaseException("no end of decisions after " + ROUNDS_MAX + " rounds");
    }

    private void setNominalQuota(JsonNode step) {
      String name = CaseFields.text(step, "clusterQueue", "");
      QueueState queue = state.queue(name);
      if (queue == null) {
        throw new UnanswerableCaseException("there is no ClusterQueue \"" + name + "\"");
      }
      ResourceName resource = new ResourceName(CaseFields.text(step, "resource", ""));
      String flavor = CaseFields.text(step, "flavor", "");
      long nominal = CaseFields.amount(step.path("nominalQuota"), resource);
      ClusterQueue old = queue.spec();
      List<ResourceGroup> groups = new ArrayList<>();
      for (ResourceGroup group : old.resourceGroups()) {
        List<FlavorQuotas> flavors = new ArrayList<>();
        for (FlavorQuotas quotas : group.flavors()) {
          flavors.add(
              quotas.flavor().equals(flavor) ? quotas.withNominal(resource, nominal) : quotas);
        }
        groups.add(new ResourceGroup(group.coveredResources(), flavors));
      }
      state.apply(
          new Event.ObjectSet(
              new ClusterQueue(old.meta(), old.cohort(), groups, old.policies()), 0),
          now);
      if (!world.keepsPositions()) {
        QuotaTree tree = state.ledger().tree();
        int root = tree.root(queue.node());
        memory.forgetPositions(job -> tree.root(tree.node(world.clusterQueue(job))) == root);
      }
    }

    /** The queue is still known when its object is gone, and has the usual weight. */
    private void forgetWeights(JsonNode step) {
      for (QuotaObject object : List.copyOf(state.objects().all())) {
        if (object instanceof LocalQueue queue && UsageReading.names(step, queue)) {
          state.apply(new Event.ObjectSet(queue.withFairWeight(FairWeight.ONE), 1), now);
        }
      }
    }

    private void delete(String reference) {
      deleted.add(reference);
      JobId id = world.id(reference);
      if (id == null || state.findJob(id) == null) {
        return;
      }
      String queue = world.clusterQueue(id);
      Attempt live = state.findAttempt(new AttemptKey(id, 0, 1));
      if (live != null) {
        state.apply(new Event.AttemptEnded(live.key(), AttemptOutcome.SUCCEEDED, null, ""), now);
        state.apply(new Event.IndexFinished(new IndexKey(id, 0), true), now);
        memory.forgetPositions(job -> world.clusterQueue(job).equals(queue));
      }
      state.apply(new Event.JobFinished(id, JobState.SUCCEEDED, ""), now);
      memory.forgetPositions(id::equals);
    }
  }
}
