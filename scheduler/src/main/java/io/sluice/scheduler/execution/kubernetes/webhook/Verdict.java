// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an object.
 *
 * @param refusal why it may not be so; null if it may
 * @param patch the operations of a JSON patch that are done to it
 */
record Verdict(@Nullable String refusal, ArrayNode patch) {
  /** It may be as it is. */
  static Verdict asItIs() {
    return changed(JsonNodeFactory.instance.arrayNode());
  }

  static Verdict changed(ArrayNode patch) {
    return new Verdict(null, patch);
  }

  static Verdict refused(String why) {
    return new Verdict(why, JsonNodeFactory.instance.arrayNode());
  }
}
