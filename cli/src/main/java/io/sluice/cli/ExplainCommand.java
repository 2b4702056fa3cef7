// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.AcceleratorWords;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Amounts;
import io.sluice.cli.output.RunPage;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Explains why a job is not running. */
@Command(
    name = "explain",
    description =
        "Shows why a job is not running, which jobs are in the way, and what would let "
            + "it start.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class ExplainCommand implements Callable<Integer> {
  @Mixin ServerOptions server;
  @Mixin JobOptions job;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "text",
      description =
          "Output format: text, " + OutputForm.OF_OBJECTS + ". Default: ${DEFAULT-VALUE}.")
  String output;

  @Override
  public Integer call() {
    OutputForm form = OutputForm.parse(output, "text");
    ServerClient client = server.client();
    JsonNode found = job.find(client, NameLookup.Purpose.READ);
    JsonNode why = client.get("/v1/jobs/" + found.path("id").asText() + "/explanation");
    Terminal terminal = Terminal.standard();
    if (!form.is("text")) {
      terminal.print(form.object(why));
      return 0;
    }
    String state = why.path("state").asText();
    terminal.print(
        "%s/%s is %s: %s"
            .formatted(
                found.path("namespace").asText(),
                found.path("name").asText(),
                terminal.state(state),
                why.path("reason").asText()));
    if (why.has("accelerators")) {
      terminal.print("  " + AcceleratorWords.sentence(why.path("accelerators"), Instant.now()));
    }
    JsonNode run = why.path("run");
    if (run.hasNonNull("lateness") && !run.path("lateness").asText().equals("IN_TIME")) {
      terminal.print(
          "  its run %s is wanted by %s: %s"
              .formatted(
                  run.path("name").asText(),
                  run.path("deadline").asText(),
                  RunPage.lateness(terminal, run)));
    }
    JsonNode headStart = why.path("headStart");
    if (headStart.isObject()) {
      terminal.print(
          "  it counts as queued %s earlier among jobs of its priority, by %s: %s"
              .formatted(
                  headStart.path("time").asText(),
                  headStart.path("by").asText(),
                  headStart.path("reason").asText()));
    }
    if (why.has("blocker")) {
      details(why, terminal);
    }
    return 0;
  }

  private static void details(JsonNode why, Terminal terminal) {
    terminal.print("");
    terminal.print("  Blocker          " + why.path("blocker").asText());
    terminal.print("  Could be cured   by " + cure(why.path("cure").asText()));
    terminal.print("  Queue            " + why.path("clusterQueue").asText());
    terminal.print("  Jobs before it   " + why.path("ahead").asInt());
    if (why.has("until")) {
      terminal.print("  Until            " + why.path("until").asText());
    }
    if (why.has("startsBy")) {
      terminal.print("  Starts by        " + why.path("startsBy").asText());
    }
    terminal.print("  Smallest change  " + change(why.path("smallestChange")));
    if (!why.path("obstacles").isEmpty()) {
      terminal.print("");
      TextTable table =
          new TextTable("  FLAVOR", "OBSTACLE", "RESOURCE", "WANTED", "AVAILABLE", "MOST");
      for (JsonNode obstacle : why.path("obstacles")) {
        boolean ofSlices = obstacle.path("unit").asText().equals("slices");
        table.add(
            "  " + obstacle.path("flavor").asText(),
            obstacle.path("kind").asText(),
            ofSlices ? "slices" : obstacle.path("resource").asText(),
            amount(obstacle, "wanted"),
            amount(obstacle, "available"),
            amount(obstacle, "most"));
      }
      terminal.print(table.lines());
    }
    JsonNode inTheWay = why.path("inTheWay");
    if (!inTheWay.path("first").isEmpty()) {
      terminal.print("");
      TextTable table = new TextTable("  IN THE WAY", "QUEUE", "PRIORITY", "STATE", "ENDS BY");
      for (JsonNode holder : inTheWay.path("first")) {
        table.add(
            "  " + holder.path("name").asText(),
            holder.path("clusterQueue").asText(),
            holder.path("priority").asText(),
            holder.path("draining").asBoolean() ? "draining" : "live",
            holder.path("latestEnd").asText("no time limit"));
      }
      terminal.print(table.lines());
      int more = inTheWay.path("count").asInt() - inTheWay.path("first").size();
      if (more > 0) {
        terminal.print("  and " + more + " more");
      }
    }
  }

  /** Formats a number of slices or an amount of a resource. */
  private static String amount(JsonNode obstacle, String field) {
    return obstacle.path("unit").asText().equals("slices")
        ? obstacle.path(field).asText()
        : Amounts.shown(obstacle.path(field), obstacle.path("resource"));
  }

  private static String cure(String cure) {
    return switch (cure) {
      case "TIME" -> "waiting";
      case "CAPACITY" -> "more or repaired hosts";
      case "QUOTA" -> "an administrator's edit";
      case "PREEMPTION" -> "other work ending or being evicted";
      case "USER" -> "an edit of the job, or its release";
      default -> cure;
    };
  }

  /** Describes every part of a change. */
  private static String change(JsonNode change) {
    List<String> parts = new ArrayList<>();
    change.path("parts").forEach(part -> parts.add(part(part)));
    return parts.isEmpty() ? part(change) : String.join(", and ", parts);
  }

  private static String part(JsonNode change) {
    String subject = change.path("subject").asText();
    String amount = change.path("amount").asText();
    return switch (change.path("kind").asText()) {
      case "ADD_QUOTA" ->
          "%s more of %s in flavor %s".formatted(amount, change.path("resource").asText(), subject);
      case "ADD_SLICES" ->
          "%s more free %s of flavor %s"
              .formatted(amount, amount.equals("1") ? "slice" : "slices", subject);
      case "ADD_NODES" ->
          "hosts of flavor %s for %s more pods or bundles, close together"
              .formatted(subject, amount);
      case "CHANGE_TOPOLOGY_REQUEST" ->
          "a topology request that flavor %s can meet".formatted(subject);
      case "CHANGE_COMPUTE_CLASS" ->
          "write compute class %s with a rung that the queue has".formatted(subject);
      case "RELEASE_JOB" -> "release it";
      case "RAISE_SUBMITTER_LIMIT" ->
          "%s more running jobs of one submitter in LocalQueue %s".formatted(amount, subject);
      case "RESUME_QUEUE" -> "let queue " + subject + " admit again";
      case "SELECT_NAMESPACE" -> "open the ClusterQueue to namespace " + subject;
      case "ADD_TOLERATION" -> "tolerate the taints of flavor " + subject;
      case "CHANGE_NODE_SELECTOR" -> "select labels that flavor " + subject + " offers";
      case "NONE" -> "none: no more quota, slices or hosts would start it";
      case "UNKNOWN" -> "not known: too many jobs compete for what would be added";
      default -> "none; wait";
    };
  }
}
