// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.admission.state.record.DecayedUsage;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the recent usage of LocalQueues, and which of them are deleted. */
final class UsageReading {
  private UsageReading() {}

  static List<DecayedUsage> usage(JsonNode byLocalQueue, Instant now) {
    List<DecayedUsage> usage = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : byLocalQueue.properties()) {
      SortedMap<ResourceName, BigDecimal> amounts = new TreeMap<>();
      CaseFields.resources(entry.getValue())
          .amounts()
          .forEach((resource, amount) -> amounts.put(resource, BigDecimal.valueOf(amount)));
      usage.add(new DecayedUsage(key(entry.getKey()), amounts, now));
    }
    return usage;
  }

  private static QueueKey key(String reference) {
    int slash = reference.indexOf('/');
    return slash < 0
        ? new QueueKey("", reference)
        : new QueueKey(reference.substring(0, slash), reference.substring(slash + 1));
  }

  /** Whether a step names a LocalQueue, in whichever of its fields, with its namespace or not. */
  static boolean names(JsonNode step, LocalQueue queue) {
    String name = queue.meta().name();
    String reference = queue.meta().namespace() + "/" + name;
    String namespace = CaseFields.text(step, "namespace", queue.meta().namespace());
    boolean named = false;
    for (Map.Entry<String, JsonNode> field : step.properties()) {
      String value = field.getValue().asText();
      boolean tells = !field.getKey().equals("op") && !field.getKey().equals("namespace");
      named |= tells && (value.equals(reference) || value.equals(name));
    }
    return named && Objects.equals(namespace, queue.meta().namespace());
  }
}
