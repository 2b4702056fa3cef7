// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import io.sluice.cli.client.ServerClient;
import picocli.CommandLine.Option;

/** The option that limits the length of a list. */
public final class LimitOption {
  /** The server's largest page. */
  private static final int PAGE_MAX = 500;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "200",
      description = "Maximum number of items to show, at least 1. Default: ${DEFAULT-VALUE}.")
  private int limit;

  /**
   * Validates the option.
   *
   * @throws WrongUsageException if the limit is less than 1
   */
  public void check() {
    if (limit < 1) {
      throw new WrongUsageException("--limit must be at least 1, it is " + limit);
    }
  }

  /** Prints to standard error that there are more items. */
  public void tell(ServerClient.Listing shown) {
    tell(shown.items().size(), shown.more());
  }

  /** Prints the same for a number of shown items. */
  public void tell(int shown, boolean more) {
    if (more) {
      System.err.printf("sluice: only the first %d are shown; --limit N shows more%n", shown);
    }
  }

  /** Returns the most items to show. */
  public int most() {
    return limit;
  }

  /** Returns the size of a page to request. */
  public int page() {
    return Math.min(limit, PAGE_MAX);
  }
}
