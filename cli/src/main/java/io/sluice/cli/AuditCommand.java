// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.listing.ListOptions;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Cell;
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

  @Mixin ListOptions list;

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

  @Override
  public Integer call() {
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("caller", caller);
    filter.put("kind", kind);
    filter.put("namespace", namespace);
    filter.put("name", name);
    list.show(
        server.client(),
        page -> {
          filter.put("limit", Integer.toString(page));
          return ServerClient.query("/v1/audit", filter);
        },
        found -> table(found.as(AuditRecord.class)));
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
