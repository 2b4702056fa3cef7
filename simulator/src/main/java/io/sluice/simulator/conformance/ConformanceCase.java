// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.admission.policy.EnginePolicy;
import java.time.Instant;

/** One case as it was read. */
final class ConformanceCase {
  private final JsonNode root;
  private final Gates gates;
  private final CaseRule rule;

  /**
   * A case that was read.
   *
   * @param rule how cycles of the case are run
   */
  ConformanceCase(JsonNode root, CaseRule rule) {
    this.root = root;
    this.rule = rule;
    this.gates = new Gates(root.path("config"));
  }

  String kind() {
    return CaseFields.text(root, "kind", "");
  }

  /** How cycles of the case are run. */
  CaseRule rule() {
    return rule;
  }

  /** Whether servers answer the case: it is one of scheduling, and asked by the rule of servers. */
  boolean live() {
    return rule.live() && kind().equals("schedule");
  }

  EnginePolicy policy() {
    return live() ? gates.roundPolicy() : gates.policy();
  }

  JsonNode config() {
    return root.path("config");
  }

  Gates gates() {
    return gates;
  }

  JsonNode objects() {
    return root.path("objects");
  }

  JsonNode action() {
    return root.path("action");
  }

  Instant now() {
    Instant now = CaseFields.instant(root, "now");
    return now == null ? Instant.EPOCH : now;
  }
}
