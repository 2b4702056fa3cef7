// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.LimitOption;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.fleet.SliceHistoryEntry;
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
    Terminal terminal = Terminal.standard();
    if (!form.is("table")) {
      terminal.print(form.list(found.items()));
    } else if (found.items().isEmpty()) {
      terminal.print("nothing has happened to it");
    } else {
      terminal.print(table(found.as(SliceHistoryEntry.class)).lines());
    }
    return 0;
  }

  private static TextTable table(List<SliceHistoryEntry> entries) {
    TextTable table = new TextTable("AT", "UNTIL", "WHAT", "OUTCOME");
    for (SliceHistoryEntry entry : entries) {
      table.add(
          entry.at().toString(),
          Cell.or(entry.to(), entry.attempt() == null ? "-" : "now"),
          entry.text(),
          Cell.orDash(entry.outcome()));
    }
    return table;
  }
}
