// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.fleet.SoughtSlices;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.scheduler.execution.kubernetes.fleet.NodeHealth.State;
import io.sluice.scheduler.execution.kubernetes.fleet.SliceLosses.Loss;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Computes the inputs that bring the engine's fleet in line with the observed clusters. It compares
 * the two states, so earlier inputs and their writers do not matter.
 */
final class FleetInputs {
  private FleetInputs() {}

  /**
   * The engine's state of the fleet.
   *
   * @param notReady slices that are not ready for every job
   * @param obtainable flavors with provisioning
   * @param placing node labels of flavors whose pods are placed on hosts
   */
  record Known(
      Fleet fleet,
      Map<String, SliceStanding> notReady,
      List<ResourceFlavor> obtainable,
      List<Labels> placing) {
    static Known of(AdmissionState state) {
      Map<String, SliceStanding> notReady = new HashMap<>();
      for (SliceStanding standing : state.slices().standings().all()) {
        if (standing.condition() != SliceCondition.READY) {
          notReady.put(standing.slice(), standing);
        }
      }
      List<Labels> placing =
          state.objects().flavors().stream()
              .filter(flavor -> flavor.topology() != null)
              .map(ResourceFlavor::nodeLabels)
              .toList();
      return new Known(state.fleet(), notReady, Obtainable.flavors(state), placing);
    }

    /** Whether a slice must be sought and no job has it. */
    boolean awaitsSeeking(Slice slice) {
      SliceStanding standing = notReady.get(slice.name());
      return SoughtSlices.isSought(slice)
          && standing != null
          && standing.condition() == SliceCondition.ABSENT;
    }
  }

  /** Returns the slices that no attempt holds and no job waits to be granted. */
  static Set<String> unused(AdmissionState state, Set<String> slices) {
    Set<String> unused = new HashSet<>();
    for (String slice : slices) {
      if (state.slices().holder(slice) == null && state.slices().claimant(slice) == null) {
        unused.add(slice);
      }
    }
    return unused;
  }

  /** Returns slices that accept no new attempt but let the present one continue. */
  static Set<String> closed(SortedMap<String, Loss> losses) {
    TreeSet<String> closed = new TreeSet<>();
    losses.forEach(
        (slice, loss) -> {
          if (loss.health().state() == State.CLOSED) {
            closed.add(slice);
          }
        });
    return closed;
  }

  /**
   * Returns the inputs for lost slices that the engine does not know yet.
   *
   * @param unused result of {@link #unused}
   */
  static List<Input> losses(SortedMap<String, Loss> losses, Known known, Set<String> unused) {
    List<Input> inputs = new ArrayList<>();
    losses.forEach(
        (slice, loss) -> {
          Input input = loss(slice, loss, known.notReady().get(slice), unused);
          if (input != null) {
            inputs.add(input);
          }
        });
    return inputs;
  }

  private static @Nullable Input loss(
      String slice, Loss loss, @Nullable SliceStanding standing, Set<String> unused) {
    boolean leaving = standing != null && standing.until() != null;
    return switch (loss.health().state()) {
      case WELL -> null;
      case CLOSED ->
          standing == null && unused.contains(slice)
              ? Input.ReclaimSlice.ofFailedHost(slice, loss.host())
              : null;
      case LEAVING ->
          standing == null
              ? new Input.ReclaimSlice(slice, loss.health().notice(), loss.host())
              : null;
      case GONE ->
          standing == null || leaving ? Input.ReclaimSlice.ofFailedHost(slice, loss.host()) : null;
    };
  }

  /**
   * Returns the inputs for lost slices that a new fleet adds: one transaction adds and removes
   * them.
   */
  static List<Input> lossesOfNew(SortedMap<String, Loss> losses, Fleet before) {
    Set<String> names = new HashSet<>();
    before.slices().forEach(slice -> names.add(slice.name()));
    List<Input> inputs = new ArrayList<>();
    losses.forEach(
        (slice, loss) -> {
          if (!names.contains(slice)) {
            inputs.add(Input.ReclaimSlice.ofFailedHost(slice, loss.host()));
          }
        });
    return inputs;
  }

  /**
   * Returns healthy slices of observed clusters that the engine considers lost, whoever else may
   * have removed them. It leaves out slices that must be sought, since their provider grants them.
   */
  static List<Slice> wellAgain(
      SortedMap<String, Loss> losses, Known known, List<ClusterSight> clusters) {
    List<Slice> well = new ArrayList<>();
    if (known.notReady().isEmpty()) {
      return well;
    }
    for (Slice slice : known.fleet().slices()) {
      boolean ours =
          clusters.stream()
              .anyMatch(
                  sight ->
                      sight.observed() != null
                          && FleetComposition.isOf(sight.cluster(), slice.labels()));
      if (ours
          && !known.awaitsSeeking(slice)
          && known.notReady().containsKey(slice.name())
          && !losses.containsKey(slice.name())) {
        well.add(slice);
      }
    }
    return well;
  }
}
