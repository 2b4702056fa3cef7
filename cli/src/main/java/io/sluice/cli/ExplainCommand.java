// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.AcceleratorWords;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Amounts;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.PlannedWords;
import io.sluice.cli.output.RunPage;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.Listed;
import io.sluice.restmodel.administration.NamedObject;
import io.sluice.restmodel.explanation.AcceleratorUsage;
import io.sluice.restmodel.explanation.JobExpectedStart;
import io.sluice.restmodel.explanation.JobExplanation;
import io.sluice.restmodel.explanation.JobExplanation.Alternative;
import io.sluice.restmodel.explanation.JobExplanation.AttemptInTheWay;
import io.sluice.restmodel.explanation.JobExplanation.ChangePart;
import io.sluice.restmodel.explanation.JobExplanation.FlavorObstacle;
import io.sluice.restmodel.explanation.JobExplanation.NeededChange;
import io.sluice.restmodel.explanation.JobExplanation.OthersInTheWay;
import io.sluice.restmodel.explanation.JobHeadStart;
import io.sluice.restmodel.explanation.JobPlannedStart;
import io.sluice.restmodel.pipeline.RunPlace;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
    NamedObject found = job.find(client, NameLookup.Purpose.READ);
    String path = "/v1/jobs/" + NameLookup.id(found) + "/explanation?alternatives=true";
    JsonNode answer = client.get(path);
    Terminal terminal = Terminal.standard();
    if (!form.is("text")) {
      terminal.print(form.object(answer));
      return 0;
    }
    print(found, JsonRecords.read(answer, JobExplanation.class, path), terminal);
    return 0;
  }

  private static void print(NamedObject found, JobExplanation why, Terminal terminal) {
    terminal.print(
        "%s/%s is %s: %s"
            .formatted(found.namespace(), found.name(), terminal.state(why.state()), why.reason()));
    AcceleratorUsage accelerators = why.accelerators();
    if (accelerators != null) {
      terminal.print("  " + AcceleratorWords.sentence(accelerators, Instant.now()));
    }
    RunPlace run = why.run();
    String lateness = run == null ? null : run.lateness();
    if (run != null && lateness != null && !lateness.equals("IN_TIME")) {
      terminal.print(
          "  its run %s is wanted by %s: %s"
              .formatted(
                  run.name(), Cell.orEmpty(run.deadline()), RunPage.lateness(terminal, lateness)));
    }
    JobHeadStart headStart = why.headStart();
    if (headStart != null) {
      terminal.print(
          "  it counts as queued %s earlier among jobs of its priority, by %s: %s"
              .formatted(headStart.time(), headStart.by(), headStart.reason()));
    }
    if (why.blocker() != null) {
      details(why, terminal);
    }
  }

  private static void details(JobExplanation why, Terminal terminal) {
    terminal.print("");
    terminal.print("  Blocker          " + why.blocker());
    terminal.print("  Could be cured   by " + cure(Cell.orEmpty(why.cure())));
    terminal.print("  Queue            " + why.clusterQueue());
    terminal.print("  Jobs before it   " + Cell.or(why.ahead(), "0"));
    if (why.until() != null) {
      terminal.print("  Until            " + why.until());
    }
    if (why.startsBy() != null) {
      terminal.print("  Starts by        " + why.startsBy());
    }
    JobPlannedStart planned = why.plannedStart();
    if (planned != null) {
      terminal.print("  Planned start    " + PlannedWords.sentence(planned, Instant.now()));
    }
    JobExpectedStart expected = why.expectedStart();
    if (expected != null) {
      terminal.print("  Start            " + PlannedWords.sentence(expected, Instant.now()));
    }
    terminal.print("  Smallest change  " + change(why.smallestChange()));
    String label = "  Would start with ";
    for (Alternative one : Objects.requireNonNullElse(why.alternatives(), List.<Alternative>of())) {
      terminal.print(label + alternative(one));
      label = "              or ";
    }
    List<FlavorObstacle> obstacles = why.obstacles();
    if (obstacles != null && !obstacles.isEmpty()) {
      terminal.print("");
      terminal.print(table(obstacles).lines());
    }
    Listed<AttemptInTheWay> inTheWay = why.inTheWay();
    List<OthersInTheWay> others = why.othersInTheWay() == null ? List.of() : why.othersInTheWay();
    if (inTheWay != null && inTheWay.count() > 0) {
      terminal.print("");
      terminal.print(table(inTheWay.first(), others).lines());
      int more = inTheWay.count() - inTheWay.first().size();
      for (OthersInTheWay other : others) {
        more -= other.attempts();
      }
      if (more > 0) {
        terminal.print("  and " + more + " more");
      }
    }
  }

  private static TextTable table(List<FlavorObstacle> obstacles) {
    TextTable table =
        new TextTable("  FLAVOR", "OBSTACLE", "RESOURCE", "WANTED", "AVAILABLE", "MOST");
    for (FlavorObstacle obstacle : obstacles) {
      table.add(
          "  " + obstacle.flavor(),
          obstacle.kind(),
          ofSlices(obstacle) ? "slices" : obstacle.resource(),
          amount(obstacle, obstacle.wanted()),
          amount(obstacle, obstacle.available()),
          amount(obstacle, obstacle.most()));
    }
    return table;
  }

  private static TextTable table(List<AttemptInTheWay> inTheWay, List<OthersInTheWay> others) {
    TextTable table = new TextTable("  IN THE WAY", "QUEUE", "PRIORITY", "STATE", "ENDS BY");
    for (AttemptInTheWay holder : inTheWay) {
      table.add(
          "  " + holder.name(),
          holder.clusterQueue(),
          Integer.toString(holder.priority()),
          holder.draining() ? "draining" : "live",
          Cell.or(holder.latestEnd(), "no time limit"));
    }
    for (OthersInTheWay other : others) {
      table.add(
          "  " + other.attempts() + " not readable",
          other.clusterQueue(),
          "",
          "",
          Cell.or(other.latestEnd(), "no time limit"));
    }
    return table;
  }

  private static boolean ofSlices(FlavorObstacle obstacle) {
    return obstacle.unit().equals("slices");
  }

  /** Formats a number of slices or an amount of a resource. */
  private static String amount(FlavorObstacle obstacle, String amount) {
    return ofSlices(obstacle) ? amount : Amounts.shown(amount, obstacle.resource());
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
  private static String change(@Nullable NeededChange change) {
    if (change == null) {
      return "none; wait";
    }
    List<ChangePart> parts = change.parts();
    if (parts == null || parts.isEmpty()) {
      String subject = Cell.orEmpty(change.subject());
      return part(new ChangePart(change.kind(), subject, change.resource(), change.amount()));
    }
    return String.join(", and ", parts.stream().map(ExplainCommand::part).toList());
  }

  private static String alternative(Alternative one) {
    return switch (one.kind()) {
      case "SHORTER_TIME_LIMIT" -> "a time limit of " + Cell.orEmpty(one.timeLimit());
      case "FEWER_SLICES" ->
          Integer.valueOf(1).equals(one.slices())
              ? "1 slice, submitted anew"
              : one.slices() + " slices, submitted anew";
      case "OTHER_COMPUTE_CLASS" ->
          (one.computeClass() == null ? "no compute class" : "compute class " + one.computeClass())
              + ", submitted anew";
      case "HIGHER_PRIORITY" -> "priority class " + Cell.orEmpty(one.priorityClass());
      default -> one.kind();
    };
  }

  private static String part(ChangePart change) {
    String subject = change.subject();
    String amount = Cell.orEmpty(change.amount());
    return switch (change.kind()) {
      case "ADD_QUOTA" ->
          "%s more of %s in flavor %s".formatted(amount, Cell.orEmpty(change.resource()), subject);
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
