// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import io.sluice.restmodel.quota.KueueExported;
import io.sluice.restmodel.quota.KueueImported;
import io.sluice.restmodel.quota.KueueImported.QuotaResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints the results of an import from Kueue and of an export to it. */
public final class KueuePage {
  private static final int NAMED_MAX = 5;

  private final Terminal terminal;

  public KueuePage(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints the effects of an import or its dry run; returns whether nothing was refused. */
  public boolean printImport(KueueImported answer) {
    boolean inOrder = true;
    for (QuotaResult result : answer.results()) {
      inOrder &= !result.result().equals("refused");
    }
    if (inOrder && answer.dryRun()) {
      new PreviewPage(terminal).print(answer);
    } else {
      answer.results().forEach(this::result);
    }
    importLines(answer).forEach(terminal::print);
    if (!inOrder) {
      terminal.print(
          terminal.styled(Terminal.Style.YELLOW, "An import would be refused as a whole."));
    }
    return inOrder;
  }

  private void result(QuotaResult result) {
    String reason = Cell.orEmpty(result.reason());
    terminal.print(
        named(result.kind(), result.namespace(), result.name())
            + " "
            + result.result()
            + (reason.isEmpty() ? "" : ": " + reason));
  }

  /** Returns the lines about everything but the quota objects themselves. */
  static List<String> importLines(KueueImported answer) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    for (KueueImported.ObjectLeft other : answer.left()) {
      lines.add(
          named(other.kind(), other.namespace(), other.name())
              + " is not taken: "
              + other.reason());
    }
    answer.missing().forEach(kind -> lines.add("The cluster has no " + kind + ": none is taken."));
    workloads(answer.workloads(), lines);
    next(answer, lines);
    return lines;
  }

  private static void workloads(KueueImported.KueueWorkloads workloads, List<String> lines) {
    Integer here = workloads.here();
    lines.add(
        "Workloads: %d waiting, %d held, %d running, %d not taken%s."
            .formatted(
                workloads.waiting(),
                workloads.held(),
                workloads.running(),
                workloads.left(),
                here == null || here == 0
                    ? ""
                    : "; %d of them are jobs here already".formatted(here)));
    int named = 0;
    for (KueueImported.KueueWorkload one : workloads.first()) {
      boolean runs = one.reason().startsWith("runs");
      if (!runs && named++ < NAMED_MAX) {
        lines.add(
            "  %s of %s: %s"
                .formatted(
                    named(one.kind(), one.namespace(), one.name()), one.owner(), one.reason()));
      }
    }
    if (!workloads.usage().isEmpty()) {
      lines.add(
          "Kueue's running workloads end as they are. Their usage does not count here, so as much"
              + " may be admitted beside them:");
      for (KueueImported.KueueUsage used : workloads.usage()) {
        lines.add(
            "  %s: %s of flavor %s, %s"
                .formatted(
                    used.clusterQueue(),
                    used.resource(),
                    used.flavor(),
                    Amounts.shown(used.amount(), used.resource())));
      }
    }
  }

  private static void next(KueueImported answer, List<String> lines) {
    boolean atWork = !answer.controllers().isEmpty();
    for (KueueImported.KueueController controller : answer.controllers()) {
      String place =
          "-n %s deployment/%s".formatted(Cell.orEmpty(controller.namespace()), controller.name());
      lines.add(
          "Kueue's controller is at work: what has its label stays Kueue's. %s"
              .formatted(
                  answer.dryRun()
                      ? "After the import: kubectl scale %s --replicas=0".formatted(place)
                      : "Now: kubectl scale %s --replicas=0".formatted(place)));
    }
    if (!answer.webhooks().isEmpty()) {
      lines.add(
          (atWork
                  ? "Then: "
                  : "Kueue's webhooks are still there, and no object can be changed while nobody"
                      + " answers them. Now: ")
              + "kubectl delete "
              + String.join(" ", answer.webhooks()));
    }
    if (!atWork && !answer.dryRun()) {
      lines.add("Kueue's controller is not at work: what waits is taken in within seconds.");
    }
  }

  /** Returns the lines about an export beside its manifests. */
  public static List<String> exportLines(KueueExported answer, int manifests, boolean withJobs) {
    List<String> lines = new ArrayList<>();
    lines.add(manifests + " manifests for Kueue.");
    for (KueueExported.ObjectName one : answer.ours()) {
      lines.add(
          "%s is not written: Kueue has no %s."
              .formatted(named(one.kind(), one.namespace(), one.name()), one.kind()));
    }
    KueueExported.ExportedJobs jobs = answer.jobs();
    long pending = jobs.adopted().stream().filter(KueuePage::isPending).count();
    lines.add(
        "%d pending jobs are objects of clusters: Kueue has them as soon as it is at work."
            .formatted(pending));
    lines.add(
        "%d admitted jobs are objects of clusters: let them end, or hold their queues and drain"
                .formatted(jobs.adopted().size() - pending)
            + " them, before Kueue is at work.");
    if (!jobs.written().isEmpty()) {
      lines.add(
          "%d pending jobs were submitted here as manifests%s"
              .formatted(
                  jobs.written().size(),
                  withJobs
                      ? " and are written: cancel them before you apply the file."
                      : ": --jobs writes them."));
    }
    for (KueueExported.ExportedJob job : jobs.left()) {
      lines.add(
          "%s (%s) is not written: it %s."
              .formatted(
                  named(job.kind(), job.namespace(), job.name()),
                  job.id(),
                  Cell.orEmpty(job.reason())));
    }
    if (!jobs.complete()) {
      lines.add("There are more jobs than are told of here.");
    }
    return lines;
  }

  private static boolean isPending(KueueExported.ExportedJob job) {
    return job.state().equals("PENDING") || job.state().equals("SUBMITTED");
  }

  private static String named(String kind, @Nullable String namespace, String name) {
    return kind.toLowerCase(Locale.ROOT) + "/" + (namespace == null ? "" : namespace + "/") + name;
  }
}
