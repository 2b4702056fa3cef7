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
 * The topology request of pods in terms of a topology's level numbers. A bundle is the number of
 * pods that must be in one domain of the bundle level; without layers, it is one pod at the lowest
 * level.
 *
 * @param level level of which one domain should hold all pods
 * @param required whether one domain must hold all pods
 * @param anywhere whether the pods may be in any number of domains
 * @param inner for each level below the bundle level, the number of pods that must be in one
 *     domain; 1 without constraint
 */
record PlacementShape(
    int level,
    boolean required,
    boolean anywhere,
    int bundleSize,
    int bundleLevel,
    List<Integer> inner) {
  /** Signals an invalid shape, with the reason. */
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
   * Returns the shape of pods on a topology.
   *
   * @throws BadShapeException if the topology lacks a level, or the layers are inconsistent
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

  /** Returns whether a topology has all requested levels. */
  static boolean isOn(NodeTopology topology, TopologyRequest request) {
    String asked = asked(topology, request);
    boolean there = asked != null && topology.level(asked) >= 0;
    for (Layer layer : request.layers()) {
      there &= topology.level(layer.level()) >= 0;
    }
    return there;
  }
}
