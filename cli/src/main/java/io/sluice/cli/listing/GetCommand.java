// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.LimitOption;
import io.sluice.cli.options.ObjectNames;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WaitTime;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.PlannedWords;
import io.sluice.cli.output.RunPage;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.explanation.JobPlannedStart;
import io.sluice.restmodel.fleet.FleetOverview;
import io.sluice.restmodel.job.JobView;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.plan.PlanEntry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists objects, or shows one. */
@Command(
    name = "get",
    description = "Lists objects of a kind, or shows one object.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Kinds: jobs, clusterqueues (cq), localqueues (lq), cohorts, resourceflavors (rf),",
      "workloadpriorityclasses (wpc), bookings, outages, teams, rolebindings (rb), slices (fleet),",
      "hosts, allocations, events JOB,",
      "attempts JOB, pending CLUSTERQUEUE, pending NAMESPACE/LOCALQUEUE, pipelines (pl),",
      "runs, runs PIPELINE, run NAME, backfills, backfills PIPELINE, plan,",
      "accuracy, accuracy CLUSTERQUEUE.",
      "NAME may be NAMESPACE/NAME or an id. KIND/NAME may be one argument or two.",
      "",
      "  sluice get jobs -o jsonpath='{range .items[*]}{.metadata.name}{\"\\n\"}{end}'",
      "  sluice get jobs -o custom-columns=NAME:.metadata.name,STATE:.status.state",
      "A list is an object with items. A field that does not exist prints nothing."
    })
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class GetCommand implements Callable<Integer> {
  static final String TABLE = "table";
  static final String WIDE = "wide";
  static final String NAME = "name";

  @Mixin ServerOptions server;

  @Mixin ListFilter filter;

  @Mixin LimitOption limit;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description =
          "Output format: table, wide, name, "
              + OutputForm.OF_OBJECTS
              + ". Default: ${DEFAULT-VALUE}.")
  String output;

  @Option(
      names = {"-w", "--watch"},
      description =
          "Print a line for each change, until interrupted. Not for hosts, allocations, "
              + "pendingworkloads, pipelines, runs and backfills.")
  boolean watch;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description =
          "Longest time to watch, such as 90s, 30m or 2h; then the exit code is 124. "
              + "Default: no limit.")
  @Nullable String timeout;

  @Parameters(index = "0", paramLabel = "KIND", description = "Kind of object, or KIND/NAME.")
  String kind;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NAME",
      description = "Name or id of an object. Default: all objects of the kind.")
  @Nullable String name;

  @Override
  public Integer call() throws InterruptedException {
    int slash = kind.indexOf('/');
    String word = slash < 0 ? kind : kind.substring(0, slash);
    Kinds kinds = Kinds.parse(word);
    if (slash >= 0) {
      if (name != null) {
        throw new WrongUsageException("a name is given twice: " + kind + " and " + name);
      }
      name = kind.substring(slash + 1);
    }
    limit.check();
    filter.check(kinds);
    OutputForm form = OutputForm.parse(output, TABLE, WIDE, NAME);
    if (watch) {
      WatchScope.check(kinds);
      return watch(kinds, form);
    }
    if (timeout != null) {
      throw new WrongUsageException("--timeout needs --watch");
    }
    Listings listings = new Listings(server.client(), filter, limit);
    boolean oneRun = kinds == Kinds.RUNS && word.equalsIgnoreCase(Kinds.RUNS.singular());
    Terminal terminal = Terminal.standard();
    terminal.print(show(kinds, listings.find(kinds, name, oneRun), terminal, form));
    return ExitCode.OK;
  }

  private int watch(Kinds kinds, OutputForm form) throws InterruptedException {
    Duration period = timeout == null ? null : WaitTime.parse(timeout);
    ServerClient client = server.client();
    Listings listings = new Listings(client, filter, limit);
    ListWatch.Target target = ListWatch.Target.of(kinds, name, listings);
    Terminal terminal = Terminal.standard();
    WatchedRows rows = new WatchedRows(kinds, form, terminal);
    new ListWatch(client, filter, limit, target, rows, terminal).run(period);
    return ExitCode.TIMED_OUT;
  }

  private List<String> show(Kinds kinds, Listings.Shown shown, Terminal terminal, OutputForm form) {
    limit.tell(shown.items().size(), shown.more());
    if (form.is(NAME)) {
      return shown.items().stream().map(item -> ObjectNames.of(kinds, item)).toList();
    }
    if (form.is(TABLE) || form.is(WIDE)) {
      return table(kinds, shown, terminal, form.is(WIDE));
    }
    return shown.single() ? form.object(shown.items().get(0)) : form.list(shown.items());
  }

  private List<String> table(Kinds kinds, Listings.Shown shown, Terminal terminal, boolean wide) {
    if (shown.items().isEmpty()) {
      return List.of("nothing found");
    }
    Instant now = Instant.now();
    if (kinds == Kinds.RUNS && shown.single() && !wide) {
      return new RunPage(terminal, now).lines(shown.listing().as(Run.class).get(0));
    }
    if (kinds == Kinds.PLAN && !wide) {
      return PlanChart.lines(
          shown.listing().as(PlanEntry.class),
          terminal,
          new PlanChart.Frame(
              now, now.plus(filter.horizon()), terminal.width(), ZoneId.systemDefault()));
    }
    TextTable table = new Tables(terminal, now).of(kinds, shown.listing());
    if (wide) {
      WideColumns.add(kinds, shown.listing(), table);
    }
    List<String> lines = new ArrayList<>(table.lines());
    if (kinds == Kinds.JOBS && shown.single()) {
      String checkpoint = shown.listing().as(JobView.class).get(0).status().checkpoint();
      if (checkpoint != null) {
        // It is too long for the table.
        lines.add("");
        lines.add("Checkpoint: " + checkpoint);
      }
      JobPlannedStart planned = shown.listing().as(JobView.class).get(0).status().plannedStart();
      if (planned != null) {
        lines.add("");
        lines.add("planned start: " + PlannedWords.sentence(planned, now));
      }
    }
    List<String> more = new ArrayList<>();
    if (kinds == Kinds.FLEET && !shown.single()) {
      more.addAll(new ClusterLines(terminal, now).of(fleet()));
    }
    for (String warning : shown.warnings()) {
      more.add(terminal.styled(Terminal.Style.YELLOW, "warning: " + warning));
    }
    if (!more.isEmpty()) {
      lines.add("");
      lines.addAll(more);
    }
    return lines;
  }

  /** Reads the state of clusters whose nodes are the fleet, and what is left out. */
  private FleetOverview fleet() {
    return server.client().get("/v1/fleet?limit=1", FleetOverview.class);
  }
}
