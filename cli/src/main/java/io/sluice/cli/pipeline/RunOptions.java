// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.ServerOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that select a run and its server. */
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class RunOptions {
  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the run. Default: all namespaces.")
  @Nullable String namespace;

  @Parameters(index = "0", paramLabel = "RUN", description = "NAME, NAMESPACE/NAME, ID or run/ID.")
  String run;

  ServerClient client() {
    return server.client();
  }

  /** Returns the id of the run. */
  String id(ServerClient client, NameLookup.Purpose purpose) {
    return new NameLookup(client, namespace).id(NamedKind.RUN, run, purpose);
  }
}
