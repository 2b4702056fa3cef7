// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.ServerOptions;
import io.sluice.restmodel.administration.NamedObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that select a schedule and its server. */
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class ScheduleOptions {
  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the pipeline. Default: all in which you may act.")
  @Nullable String namespace;

  @Parameters(
      index = "0",
      paramLabel = "PIPELINE/SCHEDULE",
      description = "Names of the pipeline and of its schedule, or NAMESPACE/PIPELINE/SCHEDULE.")
  String named;

  ServerClient client() {
    return server.client();
  }

  /** Returns the path of the schedule on the server. */
  String path(ServerClient client, NameLookup.Purpose purpose) {
    NamedObject found = new NameLookup(client, namespace).find(NamedKind.SCHEDULE, named, purpose);
    String[] names = found.name().split("/", -1);
    return "/v1/schedules/%s/%s/%s"
        .formatted(
            ServerClient.encode(found.namespace()),
            ServerClient.encode(names[0]),
            ServerClient.encode(names[names.length - 1]));
  }
}
