// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which schedule of which server is meant. */
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class ScheduleOptions {
  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      defaultValue = "default",
      description = "Of the pipeline. Default: ${DEFAULT-VALUE}.")
  String namespace;

  @Parameters(
      index = "0",
      paramLabel = "PIPELINE/SCHEDULE",
      description = "Names of the pipeline and of its schedule.")
  String named;

  ServerClient client() {
    return server.client();
  }

  /** Where the server has it. */
  String path() {
    String[] names = named.split("/", -1);
    if (names.length != 2) {
      throw new ClientException(
          "a schedule is named by its pipeline and its own name, as nightly/daily; not " + named);
    }
    return "/v1/schedules/%s/%s/%s"
        .formatted(
            ServerClient.encode(namespace),
            ServerClient.encode(names[0]),
            ServerClient.encode(names[1]));
  }
}
