// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.TopologyRequest;
import io.sluice.queuemodel.job.TopologyRequest.Layer;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads and writes topology requests in the fields of Kueue's Workload. */
public final class TopologyFields {
  private static final String FIELD = "topologyRequest";
  private static final String REQUIRED = "required";
  private static final String PREFERRED = "preferred";
  private static final String UNCONSTRAINED = "unconstrained";
  private static final String GROUP = "podSetGroupName";
  private static final String BUNDLE_LEVEL = "podSetSliceRequiredTopology";
  private static final String BUNDLE_SIZE = "podSetSliceSize";
  private static final String LAYERS = "podsetSliceRequiredTopologyConstraints";
  private static final int GROUP_SIZE = 2;

  private TopologyFields() {}

  /** A pod set with what is written about its places. */
  public static PodSetSpec read(ObjectCursor owner, PodSetSpec podSet) {
    ObjectCursor cursor = owner.object(FIELD, "a topology request");
    if (cursor == null) {
      return podSet;
    }
    String required = cursor.text(REQUIRED, Names::requireQualified);
    String preferred = cursor.text(PREFERRED, Names::requireQualified);
    Boolean unconstrained = cursor.flag(UNCONSTRAINED);
    String group = cursor.text(GROUP, Names::requireLabel);
    List<Layer> layers = layers(cursor, podSet.count());
    cursor.end();
    int said = (required == null ? 0 : 1) + (preferred == null ? 0 : 1);
    said += Boolean.TRUE.equals(unconstrained) ? 1 : 0;
    if (said > 1) {
      cursor.refuse(
          required == null ? PREFERRED : REQUIRED,
          "must be the only one of required, preferred and unconstrained");
    } else if (said == 0 && layers.isEmpty()) {
      owner.refuse(FIELD, "must say required, preferred, unconstrained or how pods are bundled");
    }
    return podSet.placed(
        new TopologyRequest(required, preferred, Boolean.TRUE.equals(unconstrained), layers),
        group);
  }

  private static List<Layer> layers(ObjectCursor cursor, int count) {
    List<Layer> layers = new ArrayList<>();
    String single = cursor.text(BUNDLE_LEVEL, Names::requireQualified);
    Integer size = cursor.whole(BUNDLE_SIZE, 1, Integer.MAX_VALUE);
    if ((single == null) != (size == null)) {
      cursor.refuse(
          single == null ? BUNDLE_SIZE : BUNDLE_LEVEL,
          "must not be there without " + (single == null ? BUNDLE_LEVEL : BUNDLE_SIZE));
    } else if (single != null && size != null) {
      divide(cursor, BUNDLE_SIZE, count, size);
      layers.add(new Layer(single, size));
    }
    List<Layer> written = new ArrayList<>();
    cursor.objects(
        LAYERS,
        Topology.LEVELS_MAX,
        "a layer",
        entry -> {
          String level = entry.requiredText("topology", Names::requireQualified);
          int each = entry.whole("size", 1, Integer.MAX_VALUE, 1);
          entry.require("size");
          entry.end();
          divide(
              entry,
              "size",
              written.isEmpty() ? count : written.get(written.size() - 1).size(),
              each);
          written.add(new Layer(level, each));
          return level;
        });
    if (!layers.isEmpty() && !written.isEmpty()) {
      cursor.refuse(LAYERS, "must not be there beside " + BUNDLE_LEVEL);
    }
    layers.addAll(written);
    return layers;
  }

  private static void divide(ObjectCursor cursor, String field, int whole, int part) {
    if (whole % part != 0) {
      cursor.refuse(field, "must divide " + whole + ", of which it is a part");
    }
  }

  /** Pods are placed together in groups of two pod sets: a leader, and its workers. */
  public static void refuseGroups(ObjectCursor owner, String field, List<PodSetSpec> podSets) {
    for (PodSetSpec podSet : podSets) {
      List<PodSetSpec> together =
          podSets.stream()
              .filter(other -> podSet.group() != null && podSet.group().equals(other.group()))
              .toList();
      boolean led = together.stream().anyMatch(other -> other.count() == 1);
      boolean alike =
          together.stream().allMatch(other -> Objects.equals(other.topology(), podSet.topology()));
      if (!together.isEmpty() && (together.size() != GROUP_SIZE || !led || !alike)) {
        owner.refuse(
            field,
            "must have two pod sets of the group "
                + podSet.group()
                + ", one of them with one pod, and the same topology request");
        return;
      }
    }
  }

  public static void put(ObjectNode owner, PodSetSpec podSet) {
    TopologyRequest request = podSet.topology();
    if (request == null) {
      return;
    }
    ObjectNode written = owner.putObject(FIELD);
    FieldWriter.putText(written, REQUIRED, request.required());
    FieldWriter.putText(written, PREFERRED, request.preferred());
    if (request.unconstrained()) {
      written.put(UNCONSTRAINED, true);
    }
    FieldWriter.putText(written, GROUP, podSet.group());
    putLayers(written, request.layers());
  }

  private static void putLayers(ObjectNode written, List<Layer> layers) {
    @Nullable Layer single = layers.size() == 1 ? layers.get(0) : null;
    if (single != null) {
      written.put(BUNDLE_LEVEL, single.level()).put(BUNDLE_SIZE, single.size());
    } else if (!layers.isEmpty()) {
      ArrayNode list = written.putArray(LAYERS);
      layers.forEach(
          layer -> list.addObject().put("topology", layer.level()).put("size", layer.size()));
    }
  }
}
