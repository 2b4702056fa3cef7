// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.LimitOption;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the history of a slice. */
@Command(
    name = "history",
    description = {
      "Shows the history of a slice, newest first: which attempts held it and when, and when its",
      "provider granted or reclaimed it. For a job, use sluice get events JOB."
    },
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class HistoryCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Mixin LimitOption limit;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description =
          "Output format: table, " + OutputForm.OF_OBJECTS + ". Default: ${DEFAULT-VALUE}.")
  String output;

  @Parameters(index = "0", paramLabel = "KIND", description = "The word slice.")
  String kind;

  @Parameters(index = "1", paramLabel = "NAME", description = "Name of the slice.")
  String name;

  @Override
  public Integer call() {
    if (Kinds.parse(kind) != Kinds.FLEET) {
      throw new WrongUsageException("only slices have a history: sluice history slice NAME");
    }
    limit.check();
    OutputForm form = OutputForm.parse(output, "table");
    String path = "/v1/slices/" + ServerClient.encode(name) + "/history?limit=";
    ServerClient.Listing found =
        server.client().listing(path + limit.page(), limit.most(), entry -> true);
    limit.tell(found);
    List<JsonNode> items = found.items();
    Terminal terminal = Terminal.standard();
    if (!form.is("table")) {
      terminal.print(form.list(items));
    } else if (items.isEmpty()) {
      terminal.print("nothing has happened to it");
    } else {
      terminal.print(table(items).lines());
    }
    return 0;
  }

  private static TextTable table(List<JsonNode> items) {
    TextTable table = new TextTable("AT", "UNTIL", "WHAT", "OUTCOME");
    for (JsonNode entry : items) {
      table.add(
          entry.path("at").asText(),
          entry.path("to").asText(entry.has("attempt") ? "now" : "-"),
          entry.path("text").asText(),
          entry.path("outcome").asText("-"));
    }
    return table;
  }
}
