// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.Inputs;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.SimulationPage;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.simulation.SimulationAnswer;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates changes: which jobs would start when, and which would be displaced. */
@Command(
    name = "simulate",
    description = {
      "Simulates changes on a copy of the server's state and changes nothing: which jobs would"
          + " start when, which would be displaced, and what that costs.",
      "Dates assume that every attempt runs to its time limit, and that nothing else arrives or"
          + " fails. What depends on an attempt without a time limit has no date."
    },
    footer = {
      "",
      "Examples:",
      "  sluice simulate -f job.yaml",
      "  sluice simulate -f clusterqueue.yaml --horizon 48h",
      "  sluice simulate --time-limit train=2h --remove-slice s-3 --add-slices s-1=4",
      "",
      "Exit codes: 0 simulated, 1 a file cannot be read, 2 wrong usage, 3 no server answers,",
      "4 refused by the server."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class SimulateCommand implements Callable<Integer> {
  private static final String PATH = "/v1/simulate";

  @Mixin ServerOptions server;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      description =
          "Jobs to submit and quota objects to create or change: manifest file (YAML or JSON),"
              + " folder, or - for standard input; at most 8 MiB in total. Repeatable.")
  List<String> files = new ArrayList<>();

  @Option(
      names = "--time-limit",
      paramLabel = "JOB=TIME",
      description =
          "Another time limit of a pending or running job, such as train=2h. The job is "
              + NameLookup.JOB_FORMS
              + " Repeatable.")
  List<String> timeLimits = new ArrayList<>();

  @Option(
      names = "--add-slices",
      paramLabel = "SLICE=N",
      description = "Adds N copies of a slice. For administrators. Repeatable.")
  List<String> added = new ArrayList<>();

  @Option(
      names = "--remove-slice",
      paramLabel = "SLICE",
      description = "Removes a slice, with the attempts on it. For administrators. Repeatable.")
  List<String> removed = new ArrayList<>();

  @Option(
      names = "--horizon",
      paramLabel = "TIME",
      defaultValue = "168h",
      description = "How far to look ahead, at most 720h. Default: ${DEFAULT-VALUE}.")
  String horizon;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "Form of the output: table, " + OutputForm.OF_OBJECTS + ". Default: table.")
  String output;

  @Override
  public Integer call() {
    OutputForm form = OutputForm.parse(output, "table");
    if (files.isEmpty() && timeLimits.isEmpty() && added.isEmpty() && removed.isEmpty()) {
      throw new WrongUsageException(
          "nothing is to be simulated: give -f, --time-limit, --add-slices or --remove-slice");
    }
    ServerClient client = server.client();
    StringBuilder path =
        new StringBuilder(PATH).append("?horizon=").append(ServerClient.encode(horizon));
    timeLimits.forEach(limit -> add(path, "timeLimit", withId(limit, client)));
    added.forEach(slices -> add(path, "addSlices", slices));
    removed.forEach(slice -> add(path, "removeSlice", slice));
    JsonNode answer = client.post(path.toString(), Inputs.read(files));
    Terminal terminal = Terminal.standard();
    if (form.is("table")) {
      new SimulationPage(terminal, ZoneId.systemDefault())
          .print(JsonRecords.read(answer, SimulationAnswer.class, PATH));
    } else {
      terminal.print(form.object(answer));
    }
    return 0;
  }

  private static void add(StringBuilder path, String parameter, String value) {
    path.append('&').append(parameter).append('=').append(ServerClient.encode(value));
  }

  private String withId(String limit, ServerClient client) {
    int equals = limit.lastIndexOf('=');
    if (equals < 1) {
      throw new WrongUsageException(
          "--time-limit must be JOB=TIME, such as train=2h, it is " + limit);
    }
    NameLookup names = new NameLookup(client, server.contextNamespace());
    String job = limit.substring(0, equals);
    return names.id(NamedKind.JOB, job, NameLookup.Purpose.CHANGE) + limit.substring(equals);
  }
}
