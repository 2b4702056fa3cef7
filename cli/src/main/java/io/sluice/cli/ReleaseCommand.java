// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import picocli.CommandLine.Command;

/** Releases held jobs. */
@Command(
    name = "release",
    description = "Releases held jobs. They are pending again, in their old places.",
    mixinStandardHelpOptions = true)
final class ReleaseCommand extends JobsCommand {
  @Override
  String wish() {
    return "release";
  }

  @Override
  String doing() {
    return "released";
  }
}
