// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.quota.policy.LabelSelector;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads labels and label selectors. */
public final class LabelFields {
  private static final int EXPRESSIONS_MAX = 100;
  private static final int VALUES_MAX = 1000;
  private static final List<Operator> OPERATORS =
      Stream.of(Operator.values()).filter(operator -> !operator.comparesNumbers()).toList();

  private LabelFields() {}

  /** A map from label keys to label values. */
  public static Labels labels(ObjectCursor owner, String field, int countMax) {
    TreeMap<String, String> labels = new TreeMap<>();
    owner.entries(
        field,
        countMax,
        Names::requireQualified,
        (key, value, path, scalars) -> {
          String text = scalars.checked(value, path, Names::requireLabelValue);
          if (text != null) {
            labels.put(key, text);
          }
        });
    return Labels.of(labels);
  }

  /** Kubernetes' label selector; null if there is none. */
  public static @Nullable LabelSelector selector(ObjectCursor owner, String field) {
    if (!owner.has(field)) {
      owner.ignore(field);
      return null;
    }
    ObjectCursor selector = owner.object(field, "a label selector");
    if (selector == null) {
      return null;
    }
    Labels matchLabels = labels(selector, "matchLabels", Schema.LABELS_MAX);
    List<Requirement> expressions =
        selector.objects(
            "matchExpressions",
            EXPRESSIONS_MAX,
            "a requirement of a label selector",
            LabelFields::requirement);
    selector.end();
    return new LabelSelector(matchLabels, expressions);
  }

  private static @Nullable Requirement requirement(ObjectCursor cursor) {
    String key = cursor.requiredText("key", Names::requireQualified);
    cursor.require("operator");
    Operator operator = cursor.word("operator", OPERATORS, Operator::word);
    List<String> values = cursor.texts("values", VALUES_MAX, Names::requireLabelValue);
    if (operator != null && operator.takesValues()) {
      cursor.requireEntries("values");
    } else if (operator != null && cursor.hasEntries("values")) {
      cursor.refuse("values", "must not be there with the operator " + operator.word());
    }
    cursor.end();
    return operator == null ? null : new Requirement(key, operator, values);
  }
}
