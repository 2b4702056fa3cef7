// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.ServerOptions;
import io.sluice.restmodel.administration.NamedObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Confirms that a draining attempt has no processes left. */
@Command(
    name = "confirm-lost",
    description =
        "Confirms that nothing is left of a draining attempt, for example on a lost "
            + "host, and frees what it holds. Requires the role admin.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class ConfirmLostCommand implements Callable<Integer> {
  @Mixin ServerOptions server;
  @Mixin JobOptions job;

  @Option(
      names = "--index",
      paramLabel = "N",
      defaultValue = "0",
      description = "Index of an array, from 0. Default: ${DEFAULT-VALUE}.")
  int index;

  @Option(
      names = "--attempt",
      paramLabel = "N",
      required = true,
      description = "Number of the attempt, as shown by sluice get attempts JOB.")
  int attempt;

  @Override
  public Integer call() {
    ServerClient client = server.client();
    NamedObject found = job.find(client, NameLookup.Purpose.CHANGE);
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("index", Integer.toString(index));
    parameters.put("attempt", Integer.toString(attempt));
    String path = "/v1/jobs/" + NameLookup.id(found) + "/confirm-lost";
    client.post(ServerClient.query(path, parameters));
    System.out.printf(
        "attempt %d of index %d of job/%s is confirmed lost%n", attempt, index, found.name());
    return 0;
  }
}
