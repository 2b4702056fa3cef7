// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ServerClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives jobs another priority class. */
@Command(
    name = "prioritize",
    description = "Gives jobs another priority class. They keep their age.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class PrioritizeCommand extends JobsCommand {
  @Option(
      names = "--class",
      required = true,
      paramLabel = "CLASS",
      description = "Name of the WorkloadPriorityClass.")
  String className;

  @Override
  String wish() {
    return "prioritize?class=" + ServerClient.encode(className);
  }

  @Override
  String doing() {
    return "given priority class " + className;
  }
}
