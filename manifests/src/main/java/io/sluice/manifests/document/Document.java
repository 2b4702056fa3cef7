// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/**
 * One document of an input.
 *
 * @param root missing if the document could not be taken apart, which the violations then say
 */
public record Document(JsonNode root, Violations violations) {
  static Document unreadable(Violations violations) {
    return new Document(MissingNode.getInstance(), violations);
  }

  /** Whether nothing is written there but perhaps comments. */
  boolean isBlank() {
    return root.isNull() && violations.isEmpty();
  }
}
