// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.PreviewPage;
import io.sluice.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes unused quota objects, and pipelines; runs of a pipeline stay. */
@Command(
    name = "delete",
    description = "Deletes unused quota objects, and pipelines. Runs of a deleted pipeline stay.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class DeleteCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the LocalQueues or pipelines. Default: all in which you may act.")
  @Nullable String namespace;

  @Option(
      names = "--dry-run",
      description =
          "Check everything and delete nothing. Shows which jobs would gain, wait or be "
              + "evicted, and which queues would be over quota.")
  boolean dryRun;

  @Parameters(
      index = "0",
      paramLabel = "KIND",
      description = "Kind of object, such as clusterqueue or cq, or KIND/NAME.")
  String kind;

  @Parameters(
      index = "1..*",
      paramLabel = "NAME",
      arity = "0..*",
      description = "Names of the objects, unless KIND/NAME is given.")
  List<String> names = List.of();

  @Override
  public Integer call() {
    List<String> all = new ArrayList<>();
    int slash = kind.indexOf('/');
    Kinds kinds = Kinds.parse(slash < 0 ? kind : kind.substring(0, slash));
    if (slash >= 0) {
      all.add(kind.substring(slash + 1));
    }
    all.addAll(names);
    if (all.isEmpty()) {
      throw new WrongUsageException("delete needs the name of a " + kinds.singular());
    }
    if (!kinds.quotaObjects() && kinds != Kinds.PIPELINES) {
      throw new WrongUsageException(kinds.plural() + " cannot be deleted");
    }
    ServerClient client = server.client();
    for (String name : all) {
      String place = place(kinds, name, client);
      String path = "/v1/" + kinds.plural() + "/" + place;
      if (dryRun) {
        new PreviewPage(Terminal.standard()).print(client.delete(path + "?dryRun=true"));
      } else {
        client.delete(path);
        System.out.println(kinds.singular() + "/" + place + " deleted");
      }
    }
    return 0;
  }

  /** Returns the name, with its namespace if the kind has namespaces. */
  private String place(Kinds kinds, String name, ServerClient client) {
    NamedKind named = kinds.named();
    if (named == null) {
      return ServerClient.encode(name);
    }
    JsonNode found = new NameLookup(client, namespace).find(named, name, NameLookup.Purpose.CHANGE);
    return ServerClient.encode(found.path("namespace").asText())
        + "/"
        + ServerClient.encode(found.path("name").asText());
  }
}
