// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import picocli.CommandLine.Command;

/** Cancels jobs. */
@Command(
    name = "cancel",
    description =
        "Cancels jobs. Running processes get SIGTERM, and SIGKILL after their grace " + "period.",
    mixinStandardHelpOptions = true)
final class CancelCommand extends JobsCommand {
  @Override
  String wish() {
    return "cancel";
  }

  @Override
  String doing() {
    return "cancelled";
  }
}
