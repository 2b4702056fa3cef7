// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.quarkus.security.ForbiddenException;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.restmodel.simulation.SimulationAnswer;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.api.explanation.ProjectedEdit;
import io.sluice.scheduler.api.explanation.SimulationAnswers;
import io.sluice.scheduler.api.explanation.StateCopies;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.submission.ApplyTransaction;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.WriteTransactions;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;

/**
 * Simulates changes, a few at a time: writes manifests in a transaction that is rolled back, and
 * projects a copy of the committed state without and with the changes, on the thread of the
 * request. The rounds of this server, if it leads, go on meanwhile.
 */
@Singleton
class Simulations {
  private static final int AT_ONCE = 2;

  /** Each takes at most this part of the heap, so that all together take a third. */
  private static final int HEAP_PARTS = 3 * AT_ONCE;

  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final Semaphore free = new Semaphore(AT_ONCE);
  private final Clock clock = Clock.systemUTC();
  private final ApplyTransaction together;
  private final WriteTransactions transactions;
  private final CommittedView view;
  private final StateCopies copies;
  private final CurrentCaller caller;

  Simulations(
      ApplyTransaction together,
      WriteTransactions transactions,
      CommittedView view,
      StateCopies copies,
      CurrentCaller caller) {
    this.together = together;
    this.transactions = transactions;
    this.view = view;
    this.copies = copies;
    this.caller = caller;
  }

  /**
   * Simulates a request and further edits.
   *
   * @throws RefusedException if a part of it could not be written, or names an unknown object
   * @throws ForbiddenException if the caller may not change one of the objects
   * @throws ProblemException 429 if too many simulations run; 503 as for a preview
   */
  SimulationAnswer run(ApplyReader.Asked asked, SimulatedEdits edits, Duration horizon) {
    if (edits.changesFleet() && !caller.get().mayEverywhere(Right.ADMINISTER)) {
      throw new ForbiddenException(caller.get().described() + ", may not change the fleet");
    }
    if (!free.tryAcquire()) {
      throw new ProblemException(
          ProblemKind.TOO_MANY_SIMULATIONS,
          "%d simulations are in progress, and no more run at once".formatted(AT_ONCE));
    }
    try {
      copies.checkSize("simulation", HEAP_PARTS);
      List<Input> written = inputs(asked);
      CommittedView.Answer<StateSnapshot> copy = copies.take();
      return simulate(copy, written, edits, horizon);
    } finally {
      free.release();
    }
  }

  private List<Input> inputs(ApplyReader.Asked asked) {
    ApplyTransaction.Request request = asked.request();
    return request.objects().isEmpty() && request.jobs().isEmpty()
        ? List.of()
        : transactions.undo(() -> together.write(request)).inputs();
  }

  private SimulationAnswer simulate(
      CommittedView.Answer<StateSnapshot> copy,
      List<Input> written,
      SimulatedEdits edits,
      Duration horizon) {
    StateSnapshot snapshot = copy.value();
    List<Workload> limited = limited(snapshot, edits, caller.readable());
    caller.require(Right.OPERATE, limited.stream().map(job -> job.queue().namespace()).toList());
    List<Input> inputs = new ArrayList<>(edits.fleetInputs(snapshot));
    inputs.addAll(written);
    edits
        .timeLimits()
        .forEach(
            (job, limit) -> inputs.add(new Input.LimitJob(job, caller.get().name(), limit, true)));
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    ProjectedEdit projected =
        ProjectedEdit.of(
            snapshot,
            view.policy(),
            now,
            inputs,
            limited,
            new ProjectedEdit.Reach(horizon, LONGEST));
    return SimulationAnswers.of(copy.sequence(), projected, caller.readable());
  }

  /** The jobs whose time limits change; one that the caller may not read is treated as absent. */
  private static List<Workload> limited(
      StateSnapshot snapshot, SimulatedEdits edits, NamespaceScope readable) {
    Set<JobId> missing = new TreeSet<>(edits.timeLimits().keySet());
    List<Workload> jobs = new ArrayList<>();
    for (JobRecord job : snapshot.jobs()) {
      boolean known = readable.contains(job.workload().queue().namespace());
      if (known && missing.remove(job.workload().id())) {
        jobs.add(job.workload());
      }
    }
    if (!missing.isEmpty()) {
      throw new RefusedException(
          RefusedException.Kind.UNPROCESSABLE,
          "timeLimit: there is no pending or running job " + missing.iterator().next());
    }
    return jobs;
  }
}
