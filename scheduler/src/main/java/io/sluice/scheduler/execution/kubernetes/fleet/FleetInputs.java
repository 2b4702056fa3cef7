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
 * Which inputs make the engine know what is seen of the clusters: a comparison of the two, so that
 * it does not matter what was told before, or by whom.
 */
final class FleetInputs {
  private FleetInputs() {}

  /**
   * What the engine knows of the fleet.
   *
   * @param notReady slices that are not ready for everybody
   * @param obtainable flavors that say by what their capacity is called for
   * @param placing the node labels of flavors whose pods are placed on hosts
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

    /** Whether a slice has to be sought, and is nobody's. */
    boolean awaitsSeeking(Slice slice) {
      SliceStanding standing = notReady.get(slice.name());
      return SoughtSlices.isSought(slice)
          && standing != null
          && standing.condition() == SliceCondition.ABSENT;
    }
  }

  /** Of slices, those that nobody holds or waits to be given. */
  static Set<String> unused(AdmissionState state, Set<String> slices) {
    Set<String> unused = new HashSet<>();
    for (String slice : slices) {
      if (state.slices().holder(slice) == null && state.slices().claimant(slice) == null) {
        unused.add(slice);
      }
    }
    return unused;
  }

  /** Slices that take nobody new, but leave alone who is there. */
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
   * What the engine does not know yet of lost slices.
   *
   * @param unused as {@link #unused} says
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
   * Of another fleet, the lost slices that the engine has not had so far: they come and are taken
   * in one transaction.
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
   * Slices of observed clusters that are well, and that the engine has for lost. Who may have taken
   * them away besides is not asked here. Those that have to be sought are their provider's to give.
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
