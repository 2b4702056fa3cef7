// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ClientException;
import picocli.CommandLine.Option;

/** How much of a list is shown. */
final class LimitOption {
  /** Most that a server gives at once. */
  private static final int PAGE_MAX = 500;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "200",
      description = "Most to show. Default: ${DEFAULT-VALUE}.")
  private int limit;

  /**
   * Looks at what was said.
   *
   * @throws ClientException if it is less than 1
   */
  void check() {
    if (limit < 1) {
      throw new ClientException("--limit must be at least 1, it is " + limit);
    }
  }

  /** Most to show. */
  int most() {
    return limit;
  }

  /** Most to ask for at once. */
  int page() {
    return Math.min(limit, PAGE_MAX);
  }
}
