// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Holds jobs. */
@Command(
    name = "hold",
    description = "Holds jobs: they are not admitted until they are released.",
    mixinStandardHelpOptions = true)
final class HoldCommand extends JobsCommand {
  @Option(
      names = "--leave-running",
      description = "Let running attempts continue. Default: they are evicted and drain.")
  boolean leaveRunning;

  @Override
  String wish() {
    return "hold?running=" + (leaveRunning ? "leave" : "evict");
  }

  @Override
  String doing() {
    return "held";
  }
}
