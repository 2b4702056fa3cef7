// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.LimitOption;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.util.function.Function;
import java.util.function.IntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a command that lists one kind of items, and its output. */
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class ListOptions {
  private static final String TABLE = "table";

  @Mixin LimitOption limit;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = TABLE,
      description =
          "Output format: table, " + OutputForm.OF_OBJECTS + ". Default: ${DEFAULT-VALUE}.")
  String output;

  /**
   * Reads the items and prints them.
   *
   * @param path of a page, by its size
   * @param table of the items
   */
  public void show(
      ServerClient client,
      IntFunction<String> path,
      Function<ServerClient.Listing, TextTable> table) {
    limit.check();
    OutputForm form = OutputForm.parse(output, TABLE);
    ServerClient.Listing found =
        client.listing(path.apply(limit.page()), limit.most(), item -> true);
    Terminal terminal = Terminal.standard();
    if (!form.is(TABLE)) {
      terminal.print(form.list(found.items()));
    } else if (found.items().isEmpty()) {
      terminal.print("nothing found");
    } else {
      terminal.print(table.apply(found).lines());
    }
    limit.tell(found);
  }
}
