// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

import io.sluice.queuemodel.Labels;
import java.util.List;

/** Kubernetes' label selector; without requirements it selects everything. */
public record LabelSelector(Labels matchLabels, List<Requirement> matchExpressions) {
  public static final LabelSelector EVERYTHING = new LabelSelector(Labels.NONE, List.of());

  public LabelSelector {
    matchExpressions = List.copyOf(matchExpressions);
  }

  /** How a label is compared. */
  public enum Operator {
    IN("In"),
    NOT_IN("NotIn"),
    EXISTS("Exists"),
    DOES_NOT_EXIST("DoesNotExist"),
    GREATER_THAN("Gt"),
    LESS_THAN("Lt");

    private final String word;

    Operator(String word) {
      this.word = word;
    }

    /** The word in manifests. */
    public String word() {
      return word;
    }

    /** Whether the label's value is looked at, and so values must be given to compare it with. */
    public boolean takesValues() {
      return this == IN || this == NOT_IN;
    }

    /** Whether values are compared as whole numbers; only requirements of nodes can be so. */
    public boolean comparesNumbers() {
      return this == GREATER_THAN || this == LESS_THAN;
    }
  }

  /** One condition on one label. */
  public record Requirement(String key, Operator operator, List<String> values) {
    public Requirement {
      values = List.copyOf(values);
    }

    /** Whether labels meet the condition. */
    public boolean isMetBy(Labels labels) {
      String value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
        case GREATER_THAN -> value != null && values.stream().allMatch(than -> isMore(value, than));
        case LESS_THAN -> value != null && values.stream().allMatch(than -> isMore(than, value));
      };
    }

    /** Whether both are whole numbers, and the first is more than the other. */
    private static boolean isMore(String one, String other) {
      try {
        return Long.parseLong(one) > Long.parseLong(other);
      } catch (NumberFormatException notNumber) {
        return false;
      }
    }
  }

  public boolean matches(Labels labels) {
    return labels.containsAll(matchLabels)
        && matchExpressions.stream().allMatch(requirement -> requirement.isMetBy(labels));
  }
}
