// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.policy.LabelSelector;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Warns about a ClusterQueue whose {@code namespaceSelector} matches no namespace. This is no
 * reason to refuse it: such queues come from clusters where namespaces have other labels.
 */
public final class SelectorWarnings {
  private static final String NAME = QueueState.NAMESPACE_LABEL;

  private SelectorWarnings() {}

  /** The warnings of an object; empty if there are none. */
  public static List<String> of(QuotaObject object) {
    if (!(object instanceof ClusterQueue queue)) {
      return List.of();
    }
    String why = never(queue.policies().namespaceSelector());
    return why == null
        ? List.of()
        : List.of(
            "spec.namespaceSelector %s, so that no namespace matches and nothing is admitted"
                .formatted(why));
  }

  /** Why a selector matches no namespace; null if it may match one. */
  private static @Nullable String never(@Nullable LabelSelector selector) {
    if (selector == null) {
      return "is not there ({} selects every namespace)";
    }
    Map<String, String> wanted = new TreeMap<>(selector.matchLabels().entries());
    List<Requirement> expressions = selector.matchExpressions();
    for (String label : wanted.keySet()) {
      if (!label.equals(NAME)) {
        return wants(label);
      }
    }
    List<String> names = new ArrayList<>();
    boolean named = wanted.containsKey(NAME);
    names.addAll(wanted.values());
    for (Requirement requirement : expressions) {
      boolean absent =
          requirement.operator() == Operator.NOT_IN
              || requirement.operator() == Operator.DOES_NOT_EXIST;
      if (!requirement.key().equals(NAME) && !absent) {
        return wants(requirement.key());
      }
      if (requirement.key().equals(NAME) && requirement.operator() == Operator.DOES_NOT_EXIST) {
        return "wants no label " + NAME + ", which every namespace has";
      }
      if (requirement.key().equals(NAME) && requirement.operator() == Operator.IN) {
        named = true;
        names.addAll(requirement.values());
      }
    }
    boolean any = names.stream().anyMatch(name -> selector.matches(Labels.of(Map.of(NAME, name))));
    return named && !any ? "contradicts itself about the label " + NAME : null;
  }

  private static String wants(String label) {
    return "wants the label %s, and the one label of a namespace here is %s".formatted(label, NAME);
  }
}
