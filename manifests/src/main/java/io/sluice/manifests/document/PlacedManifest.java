// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

/**
 * An object that was read, with its place in the input.
 *
 * @param document number of its document in the input, from 1; blank ones count
 * @param path in the document, as {@code items[2]}; empty: it is all of it
 */
public record PlacedManifest(Manifest manifest, int document, String path) {
  /** What was found wrong with the object by itself, at its place in the input. */
  public Violation locate(Violation found) {
    String joint = path.isEmpty() || found.path().isEmpty() ? "" : ".";
    return new Violation(document, path + joint + found.path(), found.value(), found.message());
  }
}
