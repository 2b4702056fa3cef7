// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import io.sluice.restmodel.Listed;
import io.sluice.restmodel.pipeline.PipelineDeletion;
import io.sluice.restmodel.preview.ApplyAnswer;
import io.sluice.restmodel.preview.ApplyResult;
import io.sluice.restmodel.preview.EditPreview;
import io.sluice.restmodel.preview.EditPreview.AffectedAttempt;
import io.sluice.restmodel.preview.EditPreview.AttemptEviction;
import io.sluice.restmodel.preview.EditPreview.JobGain;
import io.sluice.restmodel.preview.EditPreview.JobWait;
import io.sluice.restmodel.preview.EditPreview.QueueChange;
import io.sluice.restmodel.preview.EditPreview.QuotaAmounts;
import io.sluice.restmodel.preview.EditPreview.QuotaExcess;
import io.sluice.restmodel.preview.EditPreview.ResourceChange;
import io.sluice.restmodel.quota.KueueImported;
import io.sluice.restmodel.quota.KueueImported.QuotaResult;
import io.sluice.restmodel.simulation.SimulationAnswer;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Prints the answer to a dry run: what would be written, and which decisions would change. */
public final class PreviewPage {
  private static final int NAMED_MAX = 3;

  private final Terminal terminal;

  public PreviewPage(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints the answer. */
  public void print(ApplyAnswer answer) {
    answer.results().forEach(this::result);
    List<String> warnings = answer.warnings();
    end(answer.preview(), warnings == null ? List.of() : warnings);
  }

  /** Prints the effects of an import, which has results of its own. */
  void print(KueueImported answer) {
    for (QuotaResult one : answer.results()) {
      result(ApplyResult.of(one.kind(), one.namespace(), one.name(), one.result(), List.of()));
    }
    end(answer.preview(), List.of());
  }

  /** Prints the answer for a pipeline, whose deletion affects no job. */
  public void print(PipelineDeletion answer) {
    for (PipelineDeletion.Result one : answer.results()) {
      result(ApplyResult.of(one.kind(), one.namespace(), one.name(), one.result(), List.of()));
    }
    end(List.of(), answer.preview().complete());
  }

  private void end(@Nullable EditPreview preview, List<String> warnings) {
    if (preview != null) {
      queues(preview.queues());
      over(preview.over());
      evictions(preview.evictions());
      gains(preview.gains());
      waits(preview.waits());
      SimulationAnswer starts = preview.starts();
      if (starts != null) {
        new SimulationPage(terminal, ZoneId.systemDefault()).printStarts(starts);
      }
    }
    end(warnings, preview != null && preview.complete());
  }

  private void end(List<String> warnings, boolean complete) {
    terminal.print("");
    for (String warning : warnings) {
      terminal.print(terminal.styled(Terminal.Style.YELLOW, "warning: " + warning));
    }
    if (!complete) {
      terminal.print(
          terminal.styled(
              Terminal.Style.YELLOW,
              "This is not all: it was given up before nothing more could be decided."));
    }
    terminal.print(terminal.styled(Terminal.Style.DIM, "Nothing was changed."));
  }

  private void result(ApplyResult result) {
    String state = Cell.orEmpty(result.state());
    String becomes =
        state.isEmpty()
            ? ""
            : ", then "
                + (state.equals("ADMITTED")
                    ? terminal.styled(Terminal.Style.GREEN, state)
                    : terminal.state(state));
    String reason = Cell.orEmpty(result.reason());
    terminal.print(
        "%s/%s%s would be %s%s%s%s"
            .formatted(
                result.kind().toLowerCase(Locale.ROOT),
                result.namespace() == null ? "" : result.namespace() + "/",
                result.name(),
                result.result(),
                ClassDefaults.words(result.defaults()),
                becomes,
                reason.isEmpty() ? "" : ": " + reason));
  }

  private void queues(Listed<QueueChange> queues) {
    TextTable table =
        new TextTable("  CLUSTERQUEUE", "FLAVOR", "RESOURCE", "NOMINAL", "WITH BORROWING", "USED");
    for (QueueChange queue : queues.first()) {
      for (ResourceChange resource : queue.resources()) {
        table.add(
            "  " + queue.name(),
            resource.flavor(),
            resource.name(),
            change(resource, QuotaAmounts::nominal),
            change(resource, QuotaAmounts::most),
            change(resource, QuotaAmounts::used));
      }
    }
    section(queues, "Quota", table);
  }

  private String change(ResourceChange resource, Function<QuotaAmounts, String> amount) {
    String without = Amounts.shown(amount.apply(resource.without()), resource.name());
    String with = Amounts.shown(amount.apply(resource.with()), resource.name());
    return without.equals(with)
        ? without
        : terminal.styled(Terminal.Style.BOLD, without + " -> " + with);
  }

  private void over(Listed<QuotaExcess> over) {
    TextTable table =
        new TextTable("  OVER", "FLAVOR", "RESOURCE", "USED", "OF AT MOST", "BY", "ATTEMPTS");
    for (QuotaExcess node : over.first()) {
      table.add(
          "  " + node.kind().toLowerCase(Locale.ROOT) + "/" + node.name(),
          node.flavor(),
          node.resource(),
          Amounts.shown(node.used(), node.resource()),
          Amounts.shown(node.most(), node.resource()),
          terminal.styled(Terminal.Style.RED, Amounts.shown(node.by(), node.resource())),
          attempts(node.attempts()));
    }
    section(over, "More in use than there would be; nothing more is admitted there", table);
  }

  private static String attempts(Listed<AffectedAttempt> attempts) {
    List<String> names = new ArrayList<>();
    for (AffectedAttempt attempt : attempts.first()) {
      if (names.size() < NAMED_MAX) {
        names.add(Cell.job(attempt.namespace(), attempt.name()));
      }
    }
    int more = attempts.count() - names.size();
    return String.join(", ", names) + (more > 0 ? " and " + more + " more" : "");
  }

  private void evictions(Listed<AttemptEviction> evictions) {
    TextTable table = new TextTable("  EVICTED", "QUEUE", "PRIORITY", "WHY");
    for (AttemptEviction eviction : evictions.first()) {
      String name = Cell.job(eviction.namespace(), eviction.name());
      table.add(
          "  " + terminal.styled(Terminal.Style.RED, name),
          eviction.clusterQueue(),
          Integer.toString(eviction.priority()),
          eviction.reason());
    }
    section(evictions, "Told to end", table);
  }

  private void gains(Listed<JobGain> gains) {
    TextTable table = new TextTable("  GAINS", "QUEUE", "PRIORITY", "INDICES", "ON");
    for (JobGain gain : gains.first()) {
      String name = Cell.job(gain.namespace(), gain.name());
      table.add(
          "  " + terminal.styled(Terminal.Style.GREEN, name),
          gain.clusterQueue(),
          Integer.toString(gain.priority()),
          Integer.toString(gain.indices()),
          gain.given());
    }
    section(gains, "Admitted because of it", table);
  }

  private void waits(Listed<JobWait> waits) {
    TextTable table = new TextTable("  WAITS", "QUEUE", "PRIORITY", "INDICES", "WHY");
    for (JobWait wait : waits.first()) {
      String name = Cell.job(wait.namespace(), wait.name());
      table.add(
          "  " + terminal.styled(Terminal.Style.YELLOW, name),
          wait.clusterQueue(),
          Integer.toString(wait.priority()),
          wait.indices() == 0 ? "-" : Integer.toString(wait.indices()),
          Cell.orDash(wait.reason()));
    }
    section(waits, "Waiting because of it", table);
  }

  private void section(Listed<?> list, String title, TextTable table) {
    int count = list.count();
    if (count == 0) {
      return;
    }
    int more = count - list.first().size();
    terminal.print("");
    terminal.print(title + (more > 0 ? " (" + count + ", the first of them)" : "") + ":");
    terminal.print(table.lines());
  }
}
