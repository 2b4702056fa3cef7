// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a review.
 *
 * @param refusal why the object is refused; null if it is allowed
 * @param patch operations of a JSON patch to apply to it
 */
record Verdict(@Nullable String refusal, ArrayNode patch) {
  /** Allows the object unchanged. */
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
