// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/** One case as it was read. */
final class ConformanceCase {
  private final JsonNode root;
  private final Gates gates;

  ConformanceCase(JsonNode root) {
    this.root = root;
    this.gates = new Gates(root.path("config"));
  }

  String kind() {
    return CaseFields.text(root, "kind", "");
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
