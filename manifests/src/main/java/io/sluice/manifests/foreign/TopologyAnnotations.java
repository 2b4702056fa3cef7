// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.MetadataReader;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.job.TopologyRequest;
import io.sluice.queuemodel.job.TopologyRequest.Layer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads topology requests from Kueue's annotations. */
final class TopologyAnnotations {
  private static final String PREFIX = "kueue.x-k8s.io/podset-";
  private static final String REQUIRED = PREFIX + "required-topology";
  private static final String PREFERRED = PREFIX + "preferred-topology";
  private static final String UNCONSTRAINED = PREFIX + "unconstrained-topology";
  private static final String BUNDLE_LEVEL = PREFIX + "slice-required-topology";
  private static final String BUNDLE_SIZE = PREFIX + "slice-size";
  private static final String LAYERS = PREFIX + "slice-required-topology-constraints";
  private static final String GROUP = PREFIX + "group-name";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Labels annotations;
  private final Path path;
  private final Violations violations;

  /**
   * @param annotations of a pod template
   * @param path of the annotations
   */
  TopologyAnnotations(Labels annotations, Path path, Violations violations) {
    this.annotations = annotations;
    this.path = path;
    this.violations = violations;
  }

  /** The group of pod sets that are placed together; null: none. */
  @Nullable String group() {
    String group = annotations.get(GROUP);
    return group == null ? null : checked(GROUP, group, Names::requireLabel);
  }

  /**
   * What is asked for; null: nothing is.
   *
   * @param count how many pods there are
   */
  @Nullable TopologyRequest read(int count) {
    String required = level(REQUIRED);
    String preferred = level(PREFERRED);
    boolean unconstrained = unconstrained();
    List<Layer> layers = layers(count);
    int said = (required == null ? 0 : 1) + (preferred == null ? 0 : 1) + (unconstrained ? 1 : 0);
    if (said > 1) {
      refuse(
          required == null ? PREFERRED : REQUIRED,
          "must be the only one of required, preferred and unconstrained topology");
    }
    return said == 0 && layers.isEmpty()
        ? null
        : new TopologyRequest(required, preferred, unconstrained, layers);
  }

  private boolean unconstrained() {
    String written = annotations.get(UNCONSTRAINED);
    if (written != null && !written.equals("true") && !written.equals("false")) {
      refuse(UNCONSTRAINED, "must be \"true\" or \"false\"");
    }
    return "true".equals(written);
  }

  private @Nullable String level(String key) {
    String written = annotations.get(key);
    return written == null ? null : checked(key, written, Names::requireQualified);
  }

  private List<Layer> layers(int count) {
    List<Layer> layers = new ArrayList<>();
    String level = level(BUNDLE_LEVEL);
    String size = annotations.get(BUNDLE_SIZE);
    if ((level == null) != (size == null)) {
      refuse(
          level == null ? BUNDLE_SIZE : BUNDLE_LEVEL,
          "must not be there without " + (level == null ? BUNDLE_LEVEL : BUNDLE_SIZE));
    } else if (level != null && size != null) {
      layers.add(layer(BUNDLE_SIZE, level, size, count));
    }
    String written = annotations.get(LAYERS);
    if (written != null && !layers.isEmpty()) {
      refuse(LAYERS, "must not be there beside " + BUNDLE_LEVEL);
    } else if (written != null) {
      addLayers(written, count, layers);
    }
    return layers;
  }

  private void addLayers(String written, int count, List<Layer> layers) {
    JsonNode list = null;
    try {
      list = JSON.readTree(written);
    } catch (JsonProcessingException notJson) {
      // Said below.
    }
    if (list == null || !list.isArray() || list.isEmpty()) {
      refuse(LAYERS, "must be a JSON list of objects with topology and size");
      return;
    }
    int whole = count;
    for (JsonNode entry : list) {
      String level = checked(LAYERS, entry.path("topology").asText(), Names::requireQualified);
      Layer layer = layer(LAYERS, String.valueOf(level), entry.path("size").asText(), whole);
      layers.add(layer);
      whole = layer.size();
    }
  }

  /** A layer of bundles of which so many make the whole; one of a size that is not right is one. */
  private Layer layer(String key, String level, String size, int whole) {
    Integer each = MetadataReader.whole(size);
    if (each == null || each < 1) {
      refuse(key, "must be a whole number, at least 1");
      return new Layer(level, 1);
    }
    if (whole % each != 0) {
      refuse(key, "must divide " + whole + ", of which it is a part");
    }
    return new Layer(level, each);
  }

  private @Nullable String checked(String key, String written, UnaryOperator<String> rule) {
    try {
      return rule.apply(written);
    } catch (InvalidValueException problem) {
      refuse(key, String.valueOf(problem.getMessage()));
      return null;
    }
  }

  private void refuse(String key, String message) {
    violations.add(path.key(key), String.valueOf(annotations.get(key)), message);
  }
}
