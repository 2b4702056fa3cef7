// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.login;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.access.CallerIdentity;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice whoami}: who the server takes the user for. */
@Command(
    name = "whoami",
    description = "Shows your name, groups and roles as the server knows them.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class WhoAmICommand implements Callable<Integer> {
  private static final String PATH = "/v1/whoami";

  @Mixin ServerOptions server;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description =
          "Output format: table, " + OutputForm.OF_OBJECTS + ". Default: ${DEFAULT-VALUE}.")
  String output;

  @Override
  public Integer call() {
    OutputForm form = OutputForm.parse(output, "table");
    JsonNode answer = server.client().get(PATH);
    Terminal terminal = Terminal.standard();
    if (!form.is("table")) {
      terminal.print(form.object(answer));
      return 0;
    }
    CallerIdentity who = JsonRecords.read(answer, CallerIdentity.class, PATH);
    TextTable table = new TextTable("NAME", "GROUPS", "ROLES", "SIGNED IN BY", "UNTIL");
    table.add(
        who.name(),
        who.groups().isEmpty() ? "-" : String.join(",", who.groups()),
        who.roles().isEmpty()
            ? "-"
            : who.roles().stream().map(WhoAmICommand::role).collect(Collectors.joining("; ")),
        who.signedInBy(),
        Cell.or(who.expiresAt(), "-"));
    terminal.print(table.lines());
    return 0;
  }

  private static String role(CallerIdentity.HeldRole held) {
    return held.namespaces().isEmpty()
        ? held.role()
        : held.role() + " in " + String.join(",", held.namespaces());
  }
}
