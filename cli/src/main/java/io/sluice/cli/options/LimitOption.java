// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import io.sluice.cli.client.ServerClient;
import picocli.CommandLine.Option;

/** How much of a list is shown. */
public final class LimitOption {
  /** Most that a server gives at once. */
  private static final int PAGE_MAX = 500;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "200",
      description = "Maximum number of items to show, at least 1. Default: ${DEFAULT-VALUE}.")
  private int limit;

  /**
   * Looks at what was said.
   *
   * @throws WrongUsageException if it is less than 1
   */
  public void check() {
    if (limit < 1) {
      throw new WrongUsageException("--limit must be at least 1, it is " + limit);
    }
  }

  /** Says on standard error that a list goes on. */
  public void tell(ServerClient.Listing shown) {
    tell(shown.items().size(), shown.more());
  }

  /** The same of so many items that are shown. */
  public void tell(int shown, boolean more) {
    if (more) {
      System.err.printf("sluice: only the first %d are shown; --limit N shows more%n", shown);
    }
  }

  /** Most to show. */
  public int most() {
    return limit;
  }

  /** Most to ask for at once. */
  public int page() {
    return Math.min(limit, PAGE_MAX);
  }
}
