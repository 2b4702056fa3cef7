// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.topology.SlicePool;
import io.sluice.admission.topology.SliceStandings;
import io.sluice.computeclasses.RungChoice;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.event.SliceEvent.GrantFault;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.ComputeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the granted slices that match their rung, and refuses the others with one event per
 * fault. A job that no longer waits is not a fault: slices granted just before the request was
 * withdrawn may serve another job.
 */
final class Grants {
  private final Decisions decisions;
  private final AdmissionState state;

  Grants(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
  }

  void take(Input.GrantSlices input) {
    List<String> fresh = new ArrayList<>();
    TreeMap<GrantFault, List<String>> refused = new TreeMap<>();
    List<SlicePool> pools = pools(input.rung());
    for (String slice : new TreeSet<>(input.slices())) {
      GrantFault fault = fault(slice, pools);
      if (fault == null) {
        fresh.add(slice);
      } else {
        refused.computeIfAbsent(fault, absent -> new ArrayList<>()).add(slice);
      }
    }
    refused.forEach(
        (fault, slices) ->
            decisions.record(new SliceEvent.GrantRefused(input.rung(), slices, fault)));
    if (!fresh.isEmpty()) {
      decisions.record(
          new SliceEvent.SlicesGranted(
              fresh, input.rung(), decisions.now().plus(SliceStandings.GRANT_HOLD)));
    }
  }

  /** Returns the fault of a granted slice; null if it is acceptable. */
  private @Nullable GrantFault fault(String slice, List<SlicePool> pools) {
    if (!state.slices().isWhole(slice)) {
      return GrantFault.NOT_OF_FLEET;
    }
    if (state.slices().standings().condition(slice) != SliceCondition.ABSENT) {
      return GrantFault.ALREADY_THERE;
    }
    return pools.stream().anyMatch(pool -> state.slices().sharesHosts(slice, pool))
        ? null
        : GrantFault.NOT_SOUGHT;
  }

  /** Returns the kinds of slices that a rung admits; empty if no live job has such a rung. */
  private List<SlicePool> pools(RungKey key) {
    JobEntry job = state.findJob(key.job());
    ComputeClass ladder = job == null ? null : state.objects().computeClassOf(job);
    WorkloadShape shape = job == null ? null : job.workload().shape();
    AcceleratorRequest accelerator = shape == null ? null : shape.accelerator();
    if (job == null
        || shape == null
        || accelerator == null
        || ladder == null
        || key.rung() < 0
        || key.rung() >= ladder.rungs().size()) {
      return List.of();
    }
    return RungChoice.flavors(
            ladder.rungs().get(key.rung()), shape, job.queue().spec(), state.objects()::flavor)
        .stream()
        .map(flavor -> SlicePool.of(flavor, shape))
        .toList();
  }
}
