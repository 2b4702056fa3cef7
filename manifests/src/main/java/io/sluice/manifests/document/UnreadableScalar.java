// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.POJONode;

/**
 * A YAML scalar with an ambiguous or no meaning. It stands in the tree of a document as a {@link
 * POJONode} and is a violation only if somebody reads it: what is ignored may hold anything.
 *
 * @param message as in {@link Violation}
 */
public record UnreadableScalar(String text, String message) {
  JsonNode node() {
    return new POJONode(this);
  }
}
