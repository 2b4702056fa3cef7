// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

/** Thrown when an input cannot be parsed any further. */
final class BrokenSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Path path;

  BrokenSyntaxException(Path path, String message) {
    super(message, null, false, false);
    this.path = path;
  }

  Path path() {
    return path;
  }

  String message() {
    return String.valueOf(getMessage());
  }
}
