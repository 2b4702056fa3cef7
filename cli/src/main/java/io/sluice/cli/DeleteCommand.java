// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes quota objects that nothing uses, and pipelines, whose runs stay. */
@Command(
    name = "delete",
    description = "Deletes quota objects that nothing uses, and pipelines, whose runs stay.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class DeleteCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      defaultValue = "default",
      description = "Of LocalQueues and pipelines. Default: ${DEFAULT-VALUE}.")
  String namespace;

  @Parameters(index = "0", paramLabel = "KIND", description = "As clusterqueue, or cq.")
  String kind;

  @Parameters(index = "1..*", paramLabel = "NAME", arity = "1..*")
  List<String> names;

  @Override
  public Integer call() {
    Kinds kinds = Kinds.parse(kind);
    if (!kinds.quotaObjects() && kinds != Kinds.PIPELINES) {
      throw new ClientException(kinds.plural() + " cannot be deleted");
    }
    ServerClient client = server.client();
    String place =
        kinds == Kinds.LOCAL_QUEUES || kinds == Kinds.PIPELINES
            ? ServerClient.encode(namespace) + "/"
            : "";
    for (String name : names) {
      client.delete("/v1/" + kinds.plural() + "/" + place + ServerClient.encode(name));
      System.out.println(kinds.plural() + "/" + name + " deleted");
    }
    return 0;
  }
}
