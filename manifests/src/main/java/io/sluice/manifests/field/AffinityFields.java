// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.NodeAffinity.Preference;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the required node affinity of Kubernetes' pods. */
public final class AffinityFields {
  private static final int TERMS_MAX = 50;
  private static final int EXPRESSIONS_MAX = 100;
  private static final int VALUES_MAX = 1000;
  private static final String TERMS = "nodeSelectorTerms";
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final int WEIGHT_MAX = 100;
  private static final List<Operator> OPERATORS = List.of(Operator.values());

  private AffinityFields() {}

  /** The required node affinity; null if nothing is said of it. */
  public static @Nullable NodeAffinity read(ObjectCursor owner) {
    ObjectCursor affinity = owner.has("affinity") ? owner.object("affinity", "an affinity") : null;
    owner.ignore("affinity");
    if (affinity == null) {
      return null;
    }
    affinity.refuseUnsupported("podAffinity", "podAntiAffinity");
    ObjectCursor node = affinity.object("nodeAffinity", "a node affinity");
    NodeAffinity read = node == null ? NodeAffinity.ANY : required(node);
    affinity.end();
    return read;
  }

  /**
   * The node affinity of a pod of Kubernetes, with its preferences. Affinity to pods is left to
   * Kubernetes' scheduler: admission does not look at it.
   */
  public static NodeAffinity ofPod(ObjectCursor podSpec) {
    ObjectCursor affinity = podSpec.objectOrEmpty("affinity", "an affinity");
    ObjectCursor node = affinity.objectOrEmpty("nodeAffinity", "a node affinity");
    List<Preference> preferences =
        node.objects(PREFERRED, TERMS_MAX, "a preference", AffinityFields::preference);
    return new NodeAffinity(terms(node.object(REQUIRED, "a node selector")), preferences);
  }

  private static @Nullable Preference preference(ObjectCursor cursor) {
    cursor.require("weight");
    int weight = cursor.whole("weight", 1, WEIGHT_MAX, 1);
    ObjectCursor term = cursor.object("preference", "a term of a node selector");
    cursor.require("preference");
    return term == null ? null : new Preference(weight, term(term));
  }

  private static NodeAffinity required(ObjectCursor node) {
    node.refuseUnsupported(PREFERRED);
    ObjectCursor required = node.object(REQUIRED, "a node selector");
    node.end();
    return new NodeAffinity(terms(required));
  }

  private static List<List<Requirement>> terms(@Nullable ObjectCursor required) {
    if (required == null) {
      return List.of();
    }
    required.requireEntries(TERMS);
    List<List<Requirement>> terms =
        required.objects(TERMS, TERMS_MAX, "a term of a node selector", AffinityFields::term);
    required.end();
    return terms;
  }

  private static List<Requirement> term(ObjectCursor cursor) {
    cursor.refuseUnsupported("matchFields");
    cursor.requireEntries("matchExpressions");
    List<Requirement> requirements =
        cursor.objects(
            "matchExpressions",
            EXPRESSIONS_MAX,
            "a requirement of a node selector",
            AffinityFields::requirement);
    cursor.end();
    return requirements;
  }

  private static @Nullable Requirement requirement(ObjectCursor cursor) {
    String key = cursor.requiredText("key", Names::requireQualified);
    cursor.require("operator");
    Operator operator = cursor.word("operator", OPERATORS, Operator::word);
    if (operator == null) {
      cursor.ignore("values");
    } else if (operator.comparesNumbers()) {
      return requirement(cursor, key, operator, AffinityFields::requireNumber);
    } else {
      return requirement(cursor, key, operator, Names::requireLabelValue);
    }
    cursor.end();
    return null;
  }

  private static Requirement requirement(
      ObjectCursor cursor, String key, Operator operator, UnaryOperator<String> rule) {
    List<String> values = cursor.texts("values", VALUES_MAX, rule);
    if (operator.takesValues()) {
      cursor.requireEntries("values");
    } else if (!operator.comparesNumbers() && cursor.hasEntries("values")) {
      cursor.refuse("values", "must not be there with the operator " + operator.word());
    } else if (operator.comparesNumbers() && cursor.items("values", VALUES_MAX).size() != 1) {
      cursor.refuse("values", "must be one whole number with the operator " + operator.word());
    }
    cursor.end();
    return new Requirement(key, operator, values);
  }

  private static String requireNumber(String written) {
    try {
      Long.parseLong(written);
      return written;
    } catch (NumberFormatException notNumber) {
      throw new InvalidValueException("must be a whole number");
    }
  }
}
