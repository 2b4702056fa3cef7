// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.AdmissionRound;
import io.sluice.admission.Launcher;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.job.JobRows;
import io.sluice.scheduler.store.job.NewJob;
import io.sluice.scheduler.store.job.ShapeRows;
import io.sluice.testing.VirtualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Runs the real round on the real journal, with seeded random inputs. */
final class RandomLife implements AutoCloseable {
  private static final Launcher NOWHERE =
      new Launcher() {
        @Override
        public void start(AttemptKey attempt, int generation) {}

        @Override
        public void stop(AttemptKey attempt, int generation, Duration gracePeriod) {}
      };

  private final DataSource database;
  private final RandomWorld world;
  private final ShapeRows shapes = new ShapeRows();
  private final VirtualClock clock = new VirtualClock();
  private final Map<String, String> clusterQueues = new TreeMap<>();
  private final AdmissionState state;
  private final PostgresJournal journal;
  private final AdmissionRound round;
  private boolean planned;

  RandomLife(
      DataSource database,
      SplittableRandom random,
      AdmissionState state,
      long lastSequence,
      PostgresJournal journal) {
    this(
        database,
        state.policy().admissionFairSharing() == null
            ? new RandomWorld(random)
            : RandomWorld.byUsage(random),
        state,
        lastSequence,
        journal);
  }

  /** Continues on a database that may have earlier batches. */
  RandomLife(
      DataSource database,
      RandomWorld world,
      AdmissionState state,
      long lastSequence,
      PostgresJournal journal) {
    this.database = database;
    this.world = world;
    this.state = state;
    this.journal = journal;
    this.round = new AdmissionRound(state, lastSequence, journal, NOWHERE, clock::now);
  }

  /** Lets most ClusterQueues plan starts. */
  void withPlannedQueues() {
    planned = true;
  }

  AdmissionState state() {
    return state;
  }

  void setUp() throws SQLException {
    write(world.setUp());
    settle();
  }

  /** Adds an input, advances the time, and runs rounds until all is durable. */
  void next() throws SQLException {
    write(world.next(state));
    clock.advance(world.pause());
    settle();
  }

  private void settle() {
    AdmissionRound.Step step;
    do {
      step = round.step();
    } while (step.again() || step.committing());
  }

  private void write(List<Input> inputs) throws SQLException {
    List<Input> others = new ArrayList<>();
    List<NewJob> jobs = new ArrayList<>();
    for (Input input : inputs) {
      if (input instanceof Input.SetObject set && set.object() instanceof LocalQueue queue) {
        clusterQueues.put(queue.meta().name(), queue.clusterQueue());
      }
      if (input instanceof Input.SubmitJob submit) {
        jobs.add(newJob(submit.workload(), submit.hold()));
      } else {
        others.add(planned ? inPlannedQueue(input) : input);
      }
    }
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      InputRows.append(connection, others);
      JobRows.insert(connection, shapes, jobs);
      connection.commit();
    }
  }

  /** Every fourth edit of a queue ends its plans. */
  private static Input inPlannedQueue(Input input) {
    if (!(input instanceof Input.SetObject set) || !(set.object() instanceof ClusterQueue queue)) {
      return input;
    }
    Queueing queueing =
        set.generation() % 4 == 3
            ? Queueing.KUEUE
            : Queueing.planned(1 + (int) (set.generation() % 3));
    return new Input.SetObject(queue.withQueueing(queueing), set.generation());
  }

  private NewJob newJob(Workload workload, boolean hold) {
    List<PodSetSpec> podSets = new ArrayList<>();
    for (PodSet podSet : workload.shape().podSets()) {
      podSets.add(
          new PodSetSpec(
              podSet.name(),
              podSet.count(),
              new PodTemplate(
                      null,
                      List.of("true"),
                      Labels.NONE,
                      podSet.requests(),
                      podSet.nodeSelector(),
                      podSet.tolerations())
                  .withAffinity(podSet.affinity()),
              podSet.minCount()));
    }
    JobSpec spec =
        new JobSpec(
            ObjectMeta.named(workload.queue().namespace(), workload.name()),
            new JobSpec.Queueing(workload.queue().name(), JobSpec.PrioritySpec.NONE, hold),
            podSets,
            workload.shape().accelerator(),
            workload.limits(),
            workload.array(),
            workload.shape().computeClass());
    return new NewJob(
        workload.id(),
        spec,
        "{}",
        workload.priority(),
        clusterQueues.getOrDefault(workload.queue().name(), ""),
        new Caller(workload.submitter(), Role.SUBMITTER, List.of(Caller.ALL)),
        null);
  }

  @Override
  public void close() {
    journal.close();
  }
}
