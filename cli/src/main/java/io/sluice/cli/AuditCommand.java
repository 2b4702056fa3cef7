// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.LimitOption;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.administration.AuditRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the changes that callers made. */
@Command(
    name = "audit",
    description =
        "Lists the changes that callers made, newest first. Requires the role admin or auditor.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class AuditCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Mixin LimitOption limit;

  @Option(names = "--caller", paramLabel = "NAME", description = "Only changes by this caller.")
  @Nullable String caller;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only changes of objects of this kind, such as Job, ClusterQueue or Slice.")
  @Nullable String kind;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Only changes in this namespace.")
  @Nullable String namespace;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Only changes of objects with this name.")
  @Nullable String name;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description =
          "Output format: table, " + OutputForm.OF_OBJECTS + ". Default: ${DEFAULT-VALUE}.")
  String output;

  @Override
  public Integer call() {
    limit.check();
    OutputForm form = OutputForm.parse(output, "table");
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("caller", caller);
    filter.put("kind", kind);
    filter.put("namespace", namespace);
    filter.put("name", name);
    filter.put("limit", Integer.toString(limit.page()));
    ServerClient.Listing found =
        server
            .client()
            .listing(ServerClient.query("/v1/audit", filter), limit.most(), entry -> true);
    Terminal terminal = Terminal.standard();
    if (!form.is("table")) {
      terminal.print(form.list(found.items()));
    } else if (found.items().isEmpty()) {
      terminal.print("nothing found");
    } else {
      terminal.print(table(found.as(AuditRecord.class)).lines());
    }
    limit.tell(found);
    return 0;
  }

  private static TextTable table(List<AuditRecord> entries) {
    TextTable table = new TextTable("AT", "CALLER", "ROLE", "ACTION", "OBJECT", "JOB");
    for (AuditRecord entry : entries) {
      String in = entry.namespace() == null ? "" : entry.namespace() + "/";
      table.add(
          entry.at().toString(),
          entry.caller(),
          entry.role(),
          entry.action(),
          entry.kind() + "/" + in + entry.name(),
          Cell.orDash(entry.job()));
    }
    return table;
  }
}
