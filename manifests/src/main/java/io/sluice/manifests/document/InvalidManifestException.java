// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown for an invalid manifest, with its violations. It names what is wrong, so that a user can
 * put it right in one go; nothing of the input was taken.
 */
public final class InvalidManifestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Violation> violations;

  /**
   * An exception with these violations.
   *
   * @param violations at least one
   */
  public InvalidManifestException(List<Violation> violations) {
    super(violations.stream().map(Violation::toString).collect(Collectors.joining("; ")));
    this.violations = List.copyOf(violations);
  }

  /** What is wrong, in the order of reading; of much only the first {@value Violations#MAX}. */
  public List<Violation> violations() {
    return violations;
  }
}
