// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

/**
 * One fault of a manifest: path, value and reason.
 *
 * @param document which document of the input, from 1
 * @param path where, as {@code spec.resourceGroups[0].flavors[1].name} or {@code
 *     metadata.labels[app]}; empty: the document as a whole
 * @param value what stands there, on one line and at most {@value #VALUE_LENGTH_MAX} characters;
 *     empty if nothing does
 * @param message what would be right, to be read after path and value
 */
public record Violation(int document, String path, String value, String message) {
  static final int VALUE_LENGTH_MAX = 100;

  public Violation {
    value = Excerpt.of(value, VALUE_LENGTH_MAX);
  }

  /**
   * As {@code spec.queue "Main": must be ...}, with the document's number unless it is the first.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    if (document > 1) {
      text.append("document ").append(document).append(path.isEmpty() ? "" : ", ");
    }
    text.append(path);
    if (!value.isEmpty()) {
      text.append(text.isEmpty() ? "\"" : " \"").append(value).append('"');
    }
    return text.append(text.isEmpty() ? "" : ": ").append(message).toString();
  }
}
