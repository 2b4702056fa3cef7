// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.admission.explain.Explanation.InTheWay;
import io.sluice.admission.explain.Explanation.Times;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.RungTrial;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.Rung;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Explains why the rungs of a job's compute class do not serve it. */
final class LadderExplanation {
  private final AdmissionState state;
  private final JobEntry job;
  private final IndexKey index;

  LadderExplanation(AdmissionState state, JobEntry job, IndexKey index) {
    this.state = state;
    this.job = job;
    this.index = index;
  }

  /** Returns the result for each rung that was tried. */
  List<RungAccount> accounts(FlavorAssignment assignment) {
    List<RungAccount> accounts = new ArrayList<>();
    ComputeClass ladder = state.objects().computeClassOf(job);
    for (RungTrial trial : assignment.trials()) {
      RungProgress progress = job.ladder().get(trial.rung());
      RungProgress wait = progress != null && progress.waiting() ? progress : null;
      Rung rung = Objects.requireNonNull(ladder).rungs().get(trial.rung());
      accounts.add(
          new RungAccount(
              trial.rung(),
              rung.capacityType(),
              standing(trial.finding()),
              wait == null ? null : wait.at(),
              wait == null ? trial.until() : state.ladders().deadline(trial.rung(), job, wait),
              rung.terms().pricePerChipHour()));
    }
    return accounts;
  }

  private static RungAccount.Standing standing(RungTrial.Finding finding) {
    return switch (finding) {
      case CLOSED -> RungAccount.Standing.CLOSED;
      case NO_FLAVOR -> RungAccount.Standing.NO_FLAVOR;
      case QUOTA_LACKS -> RungAccount.Standing.QUOTA_LACKS;
      case CAPACITY_LACKS -> RungAccount.Standing.CAPACITY_LACKS;
      case FITS, ROOM_BY_PREEMPTION -> RungAccount.Standing.ROOM;
    };
  }

  /** Explains the job by its ladder; null if the ladder is not the reason. */
  @Nullable Explanation explain(FlavorAssignment assignment, int ahead) {
    String name = job.workload().shape().computeClass();
    if (name == null) {
      return null;
    }
    SmallestChange changeClass =
        SmallestChange.of(SmallestChange.Kind.CHANGE_COMPUTE_CLASS, name, ResourceName.TPU, 0);
    if (state.objects().computeClass(name) == null) {
      return of(Blocker.COMPUTE_CLASS_MISSING, ahead, assignment, Times.UNKNOWN, changeClass);
    }
    List<RungAccount> accounts = accounts(assignment);
    for (RungTrial trial : assignment.trials()) {
      Assignment wanted = trial.wanted();
      if (wanted != null) {
        return waiting(assignment, ahead, wanted, last(accounts));
      }
    }
    boolean allClosed =
        accounts.stream()
            .allMatch(
                account ->
                    account.standing() == RungAccount.Standing.CLOSED
                        || account.standing() == RungAccount.Standing.NO_FLAVOR);
    Instant firstBack =
        accounts.stream()
            .filter(account -> account.standing() == RungAccount.Standing.CLOSED)
            .map(RungAccount::until)
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(null);
    if (allClosed && firstBack != null) {
      return of(
          Blocker.ALL_RUNGS_CLOSED, ahead, assignment, Times.until(firstBack), SmallestChange.WAIT);
    }
    return assignment.obstacles().isEmpty()
        ? of(Blocker.NO_FLAVOR_OF_CLASS, ahead, assignment, Times.UNKNOWN, changeClass)
        : null;
  }

  /** Returns the last rung that waits for capacity. */
  private static RungAccount last(List<RungAccount> accounts) {
    return accounts.stream()
        .filter(account -> account.standing() == RungAccount.Standing.CAPACITY_LACKS)
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  private Explanation waiting(
      FlavorAssignment assignment, int ahead, Assignment wanted, RungAccount rung) {
    AcceleratorRequest accelerator = job.workload().shape().accelerator();
    SlicePool pool = SlicePool.of(wanted, job.workload().shape());
    String flavor = pool == null ? "" : pool.flavor();
    int free = pool == null ? 0 : state.slices().countFree(pool, job.id());
    int slices = accelerator == null ? 0 : Math.max(1, accelerator.slices().min() - free);
    return of(
        Blocker.WAITING_FOR_CAPACITY,
        ahead,
        assignment,
        Times.until(rung.until()),
        SmallestChange.of(SmallestChange.Kind.ADD_SLICES, flavor, ResourceName.TPU, slices));
  }

  private Explanation of(
      Blocker blocker, int ahead, FlavorAssignment assignment, Times times, SmallestChange change) {
    return new Explanation(
        index,
        blocker,
        ahead,
        assignment.obstacles(),
        InTheWay.NOBODY,
        times,
        change,
        accounts(assignment));
  }
}
