// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.admission.placement.Unplaced.Reason;
import io.sluice.queuemodel.job.TopologyRequest;
import io.sluice.queuemodel.job.TopologyRequest.Layer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How pods want to stand together, in numbers of a topology's levels. A bundle is as many pods as
 * must be in one domain of the bundle level; without layers it is one pod, and the level the
 * lowest.
 *
 * @param level of which a domain is sought that holds all
 * @param required whether one domain must hold all
 * @param anywhere whether they may as well be in many
 * @param inner how many pods at a time are in one domain of each level below the bundle level; 1
 *     where that does not matter
 */
record PlacementShape(
    int level,
    boolean required,
    boolean anywhere,
    int bundleSize,
    int bundleLevel,
    List<Integer> inner) {
  /** A shape that cannot be had, with the reason, as an exception would be. */
  static final class BadShapeException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    BadShapeException(Reason reason) {
      super(reason.name());
      this.reason = reason;
    }

    Reason reason() {
      return reason;
    }
  }

  /**
   * The shape of pods on a topology.
   *
   * @throws BadShapeException if the topology has not the levels, or layers contradict each other
   */
  static PlacementShape of(NodeTopology topology, PodsToPlace pods) throws BadShapeException {
    TopologyRequest request = pods.podSet().topology();
    List<Layer> layers = request == null ? List.of() : request.layers();
    if (!layers.isEmpty() && layers.get(0).size() <= 0) {
      throw new BadShapeException(Reason.LAYER_WITHOUT_SIZE);
    }
    String label = label(topology, request, pods.implied());
    if (label == null) {
      throw new BadShapeException(Reason.NO_LEVEL_ASKED);
    }
    int level = level(topology, label);
    int bundleLevel = layers.isEmpty() ? topology.lowest() : level(topology, layers.get(0).level());
    if (level > bundleLevel) {
      throw new BadShapeException(Reason.LAYER_TOO_WIDE);
    }
    return new PlacementShape(
        level,
        request != null && request.required() != null,
        pods.implied() || (request != null && (request.unconstrained() || request.onlyLayers())),
        layers.isEmpty() ? 1 : layers.get(0).size(),
        bundleLevel,
        inner(topology, layers, bundleLevel));
  }

  private static @Nullable String label(
      NodeTopology topology, @Nullable TopologyRequest request, boolean implied) {
    String asked = request == null ? null : asked(topology, request);
    return asked == null && implied ? lowest(topology) : asked;
  }

  private static @Nullable String asked(NodeTopology topology, TopologyRequest request) {
    if (request.required() != null) {
      return request.required();
    }
    if (request.preferred() != null) {
      return request.preferred();
    }
    if (request.onlyLayers()) {
      return topology.levels().get(0);
    }
    return request.unconstrained() ? lowest(topology) : null;
  }

  private static String lowest(NodeTopology topology) {
    return topology.levels().get(topology.lowest());
  }

  private static int level(NodeTopology topology, String label) throws BadShapeException {
    int level = topology.level(label);
    if (level < 0) {
      throw new BadShapeException(Reason.NO_SUCH_LEVEL);
    }
    return level;
  }

  private static List<Integer> inner(NodeTopology topology, List<Layer> layers, int bundleLevel)
      throws BadShapeException {
    List<Integer> inner = new ArrayList<>(Collections.nCopies(topology.levels().size(), 1));
    int above = bundleLevel;
    for (int at = 1; at < layers.size(); at++) {
      Layer layer = layers.get(at);
      int level = level(topology, layer.level());
      if (level <= above) {
        throw new BadShapeException(Reason.LAYER_TOO_WIDE);
      }
      if (layer.size() <= 0 || layers.get(at - 1).size() % layer.size() != 0) {
        throw new BadShapeException(Reason.LAYERS_DO_NOT_DIVIDE);
      }
      for (int between = above + 1; between <= level; between++) {
        inner.set(between, layer.size());
      }
      above = level;
    }
    return inner;
  }

  /** Whether a topology has all levels that are asked for. */
  static boolean isOn(NodeTopology topology, TopologyRequest request) {
    String asked = asked(topology, request);
    boolean there = asked != null && topology.level(asked) >= 0;
    for (Layer layer : request.layers()) {
      there &= topology.level(layer.level()) >= 0;
    }
    return there;
  }
}
