// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.GpuType;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.computeclasses.SelectedNodes;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violations;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes {@code selectors}: a list of alternatives, the first the best. Each is a map
 * from what is looked at to what it must be: a value, a list of values, Ray's {@code in(a,b)},
 * {@code !in(a,b)} and {@code !a}, or an object with {@code in}, {@code notIn} or {@code exists}.
 */
public final class SelectorFields {
  private static final String FIELD = "selectors";
  private static final String ACCELERATOR_TYPE = "acceleratorType";
  private static final String TOPOLOGY = "topology";
  private static final String CAPACITY_TYPE = "capacityType";
  private static final int ALTERNATIVES_MAX = 16;
  private static final int REQUIREMENTS_MAX = 100;
  private static final int VALUES_MAX = 1000;
  private static final List<String> CAPACITY_TYPES =
      Arrays.stream(CapacityType.values()).map(CapacityType::word).toList();

  private final ReadingTerms terms;
  private final Violations violations;

  private SelectorFields(ReadingTerms terms, Violations violations) {
    this.terms = terms;
    this.violations = violations;
  }

  /** The alternatives; null if nothing is said of them. */
  public static @Nullable List<List<Requirement>> read(ObjectCursor owner, ReadingTerms terms) {
    List<JsonNode> entries = owner.items(FIELD, ALTERNATIVES_MAX);
    SelectorFields fields = new SelectorFields(terms, owner.violations());
    List<List<Requirement>> alternatives = new ArrayList<>();
    for (int at = 0; at < entries.size(); at++) {
      alternatives.add(fields.alternative(entries.get(at), owner.path(FIELD).index(at)));
    }
    return owner.has(FIELD) ? alternatives : null;
  }

  /** In the order of their labels, so that alternatives which say the same are equal. */
  private List<Requirement> alternative(JsonNode entry, Path path) {
    TreeMap<String, Requirement> requirements = new TreeMap<>();
    if (!entry.isObject() || entry.isEmpty() || entry.size() > REQUIREMENTS_MAX) {
      violations.add(
          path, entry, "must be a map of 1 to " + REQUIREMENTS_MAX + " labels and their values");
      return List.of();
    }
    for (var field : entry.properties()) {
      Path place = path.key(field.getKey());
      try {
        Requirement read = requirement(field.getKey(), field.getValue(), place);
        if (read != null && requirements.put(read.key(), read) != null) {
          violations.add(place, field.getValue(), "is said twice, as " + read.key() + " too");
        }
      } catch (InvalidValueException problem) {
        violations.add(place, field.getValue(), String.valueOf(problem.getMessage()));
      }
    }
    return List.copyOf(requirements.values());
  }

  private @Nullable Requirement requirement(String key, JsonNode value, Path path) {
    switch (key) {
      case ACCELERATOR_TYPE -> {
        Requirement names = of(key, value, path, Names::requireLabelValue);
        return names == null ? null : labelled(names);
      }
      case TOPOLOGY -> {
        return of(
            NodeLabels.TPU_TOPOLOGY, value, path, text -> SliceTopology.parse(text).toString());
      }
      case CAPACITY_TYPE -> {
        return of(SelectedNodes.CAPACITY_TYPE, value, path, SelectorFields::requireCapacityType);
      }
      default -> {
        if (Names.requireQualified(key).equals(SelectedNodes.CAPACITY_TYPE)) {
          throw new InvalidValueException("is written as " + CAPACITY_TYPE);
        }
        return of(key, value, path, Names::requireLabelValue);
      }
    }
  }

  private static String requireCapacityType(String word) {
    if (!CAPACITY_TYPES.contains(word)) {
      throw new InvalidValueException(
          "is not a capacity type; allowed: "
              + String.join(", ", CAPACITY_TYPES)
              + NearestWord.suggestion(word, new TreeSet<>(CAPACITY_TYPES)));
    }
    return word;
  }

  /** Names of accelerators as the labels of nodes have them; those of one label only. */
  private Requirement labelled(Requirement names) {
    List<String> tpus = new ArrayList<>();
    List<String> gpus = new ArrayList<>();
    for (String name : names.values()) {
      AcceleratorType type = terms.catalogue().find(name);
      GpuType gpu = terms.catalogue().gpu(name);
      if (type == null && gpu == null) {
        throw new InvalidValueException("is not an accelerator of the catalogue: " + name);
      } else if (type != null) {
        tpus.add(type.gkeLabel());
      } else if (gpu != null) {
        gpus.add(gpu.gkeLabel());
      }
    }
    if (tpus.isEmpty() == gpus.isEmpty()) {
      throw new InvalidValueException(
          "must name TPUs or GPUs: the others can be another alternative");
    }
    return tpus.isEmpty()
        ? new Requirement(NodeLabels.GPU_TYPE, names.operator(), gpus)
        : new Requirement(NodeLabels.TPU_TYPE, names.operator(), tpus);
  }

  private @Nullable Requirement of(
      String key, JsonNode value, Path path, UnaryOperator<String> rule) {
    if (value.isTextual()) {
      return ofText(key, value.textValue(), rule);
    }
    if (value.isArray()) {
      return new Requirement(key, Operator.IN, values(value, rule));
    }
    ObjectCursor object = ObjectCursor.open(value, path, "a selector", violations);
    if (object == null) {
      return null;
    }
    Boolean exists = object.flag("exists");
    List<String> in = object.texts("in", VALUES_MAX, rule);
    List<String> notIn = object.texts("notIn", VALUES_MAX, rule);
    object.end();
    if (value.size() != 1 || (exists == null && in.isEmpty() && notIn.isEmpty())) {
      violations.add(path, value, "must have one of in, notIn, exists, with a value");
      return null;
    }
    if (exists != null) {
      return new Requirement(key, exists ? Operator.EXISTS : Operator.DOES_NOT_EXIST, List.of());
    }
    return in.isEmpty()
        ? new Requirement(key, Operator.NOT_IN, notIn)
        : new Requirement(key, Operator.IN, in);
  }

  private static List<String> values(JsonNode list, UnaryOperator<String> rule) {
    List<String> values = new ArrayList<>();
    for (JsonNode value : list) {
      if (!value.isTextual()) {
        throw new InvalidValueException("must be a list of texts");
      }
      values.add(rule.apply(value.textValue()));
    }
    if (values.isEmpty() || values.size() > VALUES_MAX) {
      throw new InvalidValueException("must have 1 to " + VALUES_MAX + " values");
    }
    return values;
  }

  private static Requirement ofText(String key, String text, UnaryOperator<String> rule) {
    boolean not = text.startsWith("!");
    String rest = not ? text.substring(1) : text;
    List<String> values =
        rest.startsWith("in(") && rest.endsWith(")")
            ? Arrays.stream(rest.substring(3, rest.length() - 1).split(",", -1))
                .map(String::strip)
                .toList()
            : List.of(rest);
    return new Requirement(
        key, not ? Operator.NOT_IN : Operator.IN, values.stream().map(rule).toList());
  }

  /** Writes the alternatives of pods that have some. */
  public static void put(ObjectNode owner, NodeAffinity affinity) {
    if (affinity.alternatives().isEmpty()) {
      return;
    }
    ArrayNode list = owner.putArray(FIELD);
    for (List<Requirement> alternative : affinity.alternatives()) {
      ObjectNode entry = list.addObject();
      for (Requirement requirement : alternative) {
        boolean capacity = requirement.key().equals(SelectedNodes.CAPACITY_TYPE);
        ObjectNode condition = entry.putObject(capacity ? CAPACITY_TYPE : requirement.key());
        switch (requirement.operator()) {
          case EXISTS -> condition.put("exists", true);
          case DOES_NOT_EXIST -> condition.put("exists", false);
          case NOT_IN -> FieldWriter.putTexts(condition, "notIn", requirement.values());
          default -> FieldWriter.putTexts(condition, "in", requirement.values());
        }
      }
    }
  }
}
