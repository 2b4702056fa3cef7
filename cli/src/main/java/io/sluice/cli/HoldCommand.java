// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Holds jobs. */
@Command(
    name = "hold",
    description = "Holds jobs: nothing of them is admitted until they are released.",
    mixinStandardHelpOptions = true)
final class HoldCommand extends JobsCommand {
  @Option(
      names = "--leave-running",
      description = "Let what of them runs go on; without it that is evicted and drains.")
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
