// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints the results of an import from Kueue and of an export to it. */
public final class KueuePage {
  private static final int NAMED_MAX = 5;

  private final Terminal terminal;

  public KueuePage(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints the effects of an import or its dry run; returns whether nothing was refused. */
  public boolean printImport(JsonNode answer) {
    boolean dryRun = answer.path("dryRun").asBoolean();
    boolean inOrder = true;
    for (JsonNode result : answer.path("results")) {
      inOrder &= !result.path("result").asText().equals("refused");
    }
    if (!inOrder) {
      answer.path("results").forEach(this::result);
    } else if (dryRun) {
      new PreviewPage(terminal).print(answer);
    } else {
      answer.path("results").forEach(this::result);
    }
    importLines(answer).forEach(terminal::print);
    if (!inOrder) {
      terminal.print(
          terminal.styled(Terminal.Style.YELLOW, "An import would be refused as a whole."));
    }
    return inOrder;
  }

  private void result(JsonNode result) {
    String reason = result.path("reason").asText("");
    terminal.print(
        named(result)
            + " "
            + result.path("result").asText()
            + (reason.isEmpty() ? "" : ": " + reason));
  }

  /** Returns the lines about everything but the quota objects themselves. */
  static List<String> importLines(JsonNode answer) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    answer
        .path("left")
        .forEach(
            other -> lines.add(named(other) + " is not taken: " + other.path("reason").asText()));
    answer
        .path("missing")
        .forEach(kind -> lines.add("The cluster has no " + kind.asText() + ": none is taken."));
    workloads(answer.path("workloads"), lines);
    next(answer, lines);
    return lines;
  }

  private static void workloads(JsonNode workloads, List<String> lines) {
    long here = workloads.path("here").asLong();
    lines.add(
        "Workloads: %d waiting, %d held, %d running, %d not taken%s."
            .formatted(
                workloads.path("waiting").asLong(),
                workloads.path("held").asLong(),
                workloads.path("running").asLong(),
                workloads.path("left").asLong(),
                here == 0 ? "" : "; %d of them are jobs here already".formatted(here)));
    int named = 0;
    for (JsonNode one : workloads.path("first")) {
      boolean runs = one.path("reason").asText().startsWith("runs");
      if (!runs && named++ < NAMED_MAX) {
        lines.add(
            "  %s of %s: %s"
                .formatted(named(one), one.path("owner").asText(), one.path("reason").asText()));
      }
    }
    if (!workloads.path("usage").isEmpty()) {
      lines.add(
          "Kueue's running workloads end as they are. Their usage does not count here, so as much"
              + " may be admitted beside them:");
      for (JsonNode used : workloads.path("usage")) {
        lines.add(
            "  %s: %s of flavor %s, %s"
                .formatted(
                    used.path("clusterQueue").asText(),
                    used.path("resource").asText(),
                    used.path("flavor").asText(),
                    Amounts.shown(used.path("amount"), used.path("resource"))));
      }
    }
  }

  private static void next(JsonNode answer, List<String> lines) {
    boolean dryRun = answer.path("dryRun").asBoolean();
    JsonNode controllers = answer.path("controllers");
    for (JsonNode controller : controllers) {
      String place =
          "-n %s deployment/%s"
              .formatted(controller.path("namespace").asText(), controller.path("name").asText());
      lines.add(
          "Kueue's controller is at work: what has its label stays Kueue's. %s"
              .formatted(
                  dryRun
                      ? "After the import: kubectl scale %s --replicas=0".formatted(place)
                      : "Now: kubectl scale %s --replicas=0".formatted(place)));
    }
    if (!answer.path("webhooks").isEmpty()) {
      List<String> names = new ArrayList<>();
      answer.path("webhooks").forEach(webhook -> names.add(webhook.asText()));
      lines.add(
          (controllers.isEmpty()
                  ? "Kueue's webhooks are still there, and no object can be changed while nobody"
                      + " answers them. Now: "
                  : "Then: ")
              + "kubectl delete "
              + String.join(" ", names));
    }
    if (controllers.isEmpty() && !dryRun) {
      lines.add("Kueue's controller is not at work: what waits is taken in within seconds.");
    }
  }

  /** Returns the lines about an export beside its manifests. */
  public static List<String> exportLines(JsonNode answer, int manifests, boolean withJobs) {
    List<String> lines = new ArrayList<>();
    lines.add(manifests + " manifests for Kueue.");
    answer
        .path("ours")
        .forEach(one -> lines.add(named(one) + " is not written: Kueue has no " + kind(one) + "."));
    JsonNode jobs = answer.path("jobs");
    long pending = 0;
    for (JsonNode job : jobs.path("adopted")) {
      pending += isPending(job) ? 1 : 0;
    }
    lines.add(
        "%d pending jobs are objects of clusters: Kueue has them as soon as it is at work."
            .formatted(pending));
    lines.add(
        "%d admitted jobs are objects of clusters: let them end, or hold their queues and drain"
                .formatted(jobs.path("adopted").size() - pending)
            + " them, before Kueue is at work.");
    if (!jobs.path("written").isEmpty()) {
      lines.add(
          "%d pending jobs were submitted here as manifests%s"
              .formatted(
                  jobs.path("written").size(),
                  withJobs
                      ? " and are written: cancel them before you apply the file."
                      : ": --jobs writes them."));
    }
    for (JsonNode job : jobs.path("left")) {
      lines.add(
          "%s (%s) is not written: it %s."
              .formatted(named(job), job.path("id").asText(), job.path("reason").asText()));
    }
    if (!jobs.path("complete").asBoolean(true)) {
      lines.add("There are more jobs than are told of here.");
    }
    return lines;
  }

  private static boolean isPending(JsonNode job) {
    String state = job.path("state").asText();
    return state.equals("PENDING") || state.equals("SUBMITTED");
  }

  private static String kind(JsonNode one) {
    return one.path("kind").asText();
  }

  private static String named(JsonNode one) {
    String namespace = one.path("namespace").asText("");
    return kind(one).toLowerCase(Locale.ROOT)
        + "/"
        + (namespace.isEmpty() ? "" : namespace + "/")
        + one.path("name").asText();
  }
}
