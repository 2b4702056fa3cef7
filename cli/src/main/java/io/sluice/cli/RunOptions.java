// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ServerClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which run of which server is meant. */
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class RunOptions {
  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of a run that is named.")
  @Nullable String namespace;

  @Parameters(index = "0", paramLabel = "RUN", description = "Name or id.")
  String run;

  ServerClient client() {
    return server.client();
  }

  RunLookup lookup(ServerClient client) {
    return new RunLookup(client, namespace);
  }
}
