// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.restmodel.fleet.FleetMap.SliceKind;
import io.sluice.scheduler.api.fleet.DrawnFleet.DrawnHolder;
import io.sluice.scheduler.api.fleet.DrawnFleet.DrawnSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Draws the fleet of one state. */
final class FleetDrawing {
  /** Maximum number of slices of a drawing, by name. */
  private static final int SLICES_MAX = 20_000;

  private final AdmissionState state;
  private final Set<String> failed;
  private final Map<String, DrawnSlice> known;
  private final Map<AttemptKey, DrawnHolder> holders = new HashMap<>();
  private final TeamNames teams;

  /**
   * A drawing to make.
   *
   * @param failed hosts of the fleet
   * @param known slices of the last drawing by name, which are used again where they are equal
   */
  FleetDrawing(AdmissionState state, Set<String> failed, Map<String, DrawnSlice> known) {
    this.state = state;
    this.failed = failed;
    this.known = known;
    this.teams = new TeamNames(state.objects());
  }

  DrawnFleet draw(String revision) {
    List<DrawnSlice> slices = new ArrayList<>();
    for (Slice slice : state.slices().after("")) {
      if (slices.size() == SLICES_MAX) {
        break;
      }
      DrawnSlice now = slice(slice);
      DrawnSlice before = known.get(now.name());
      slices.add(now.equals(before) ? before : now);
    }
    return new DrawnFleet(revision, state.slices().all().size(), slices);
  }

  private DrawnSlice slice(Slice slice) {
    String name = slice.name();
    List<String> held = state.slices().heldOn(name);
    List<DrawnHolder> found = new ArrayList<>();
    for (String one : held) {
      DrawnHolder holder = holder(one);
      if (holder != null) {
        found.add(holder);
      }
    }
    SliceStanding standing = state.slices().standings().find(name);
    return new DrawnSlice(
        name,
        new SliceKind(
            slice.acceleratorType(),
            slice.topology().toString(),
            slice.topology().chips(),
            slice.capacityType().word()),
        state.slices().standings().condition(name),
        slice.hosts().stream().anyMatch(failed::contains),
        standing != null && standing.keptFor() != null,
        claimant(name),
        !found.isEmpty() && !held.contains(name),
        found);
  }

  private @Nullable DrawnHolder holder(String held) {
    Attempt attempt = SliceAnswers.holder(held, state);
    return attempt == null
        ? null
        : holders.computeIfAbsent(
            attempt.key(),
            absent ->
                new DrawnHolder(
                    attempt.key(),
                    attempt.job().workload().name(),
                    attempt.job().workload().queue().namespace(),
                    teams.of(attempt.job().workload().queue()),
                    attempt.job().queue().name(),
                    attempt.state().name()));
  }

  private @Nullable String claimant(String slice) {
    IndexKey claimant = state.slices().claimant(slice);
    JobEntry job = claimant == null ? null : state.findJob(claimant.job());
    return job == null ? null : job.workload().queue().namespace();
  }
}
