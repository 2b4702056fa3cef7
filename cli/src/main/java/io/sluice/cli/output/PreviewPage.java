// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints the answer to a dry run: what would be written, and which decisions would change. */
public final class PreviewPage {
  private static final int NAMED_MAX = 3;

  private final Terminal terminal;

  public PreviewPage(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints the answer. */
  public void print(JsonNode answer) {
    answer.path("results").forEach(this::result);
    JsonNode preview = answer.path("preview");
    queues(preview.path("queues"));
    over(preview.path("over"));
    evictions(preview.path("evictions"));
    gains(preview.path("gains"));
    waits(preview.path("waits"));
    terminal.print("");
    for (JsonNode warning : answer.path("warnings")) {
      terminal.print(terminal.styled(Terminal.Style.YELLOW, "warning: " + warning.asText()));
    }
    if (!preview.path("complete").asBoolean()) {
      terminal.print(
          terminal.styled(
              Terminal.Style.YELLOW,
              "This is not all: it was given up before nothing more could be decided."));
    }
    terminal.print(terminal.styled(Terminal.Style.DIM, "Nothing was changed."));
  }

  private void result(JsonNode result) {
    String namespace = result.path("namespace").asText("");
    String state = result.path("state").asText("");
    String becomes =
        state.isEmpty()
            ? ""
            : ", then "
                + (state.equals("ADMITTED")
                    ? terminal.styled(Terminal.Style.GREEN, state)
                    : terminal.state(state));
    String reason = result.path("reason").asText("");
    terminal.print(
        "%s/%s%s would be %s%s%s%s"
            .formatted(
                result.path("kind").asText().toLowerCase(Locale.ROOT),
                namespace.isEmpty() ? "" : namespace + "/",
                result.path("name").asText(),
                result.path("result").asText(),
                ClassDefaults.words(result),
                becomes,
                reason.isEmpty() ? "" : ": " + reason));
  }

  private void queues(JsonNode queues) {
    TextTable table =
        new TextTable("  CLUSTERQUEUE", "FLAVOR", "RESOURCE", "NOMINAL", "WITH BORROWING", "USED");
    for (JsonNode queue : queues.path("first")) {
      for (JsonNode resource : queue.path("resources")) {
        table.add(
            "  " + queue.path("name").asText(),
            resource.path("flavor").asText(),
            resource.path("name").asText(),
            change(resource, "nominal"),
            change(resource, "most"),
            change(resource, "used"));
      }
    }
    section(queues, "Quota", table);
  }

  private String change(JsonNode resource, String field) {
    String without = Amounts.shown(resource.path("without").path(field), resource.path("name"));
    String with = Amounts.shown(resource.path("with").path(field), resource.path("name"));
    return without.equals(with)
        ? without
        : terminal.styled(Terminal.Style.BOLD, without + " -> " + with);
  }

  private void over(JsonNode over) {
    TextTable table =
        new TextTable("  OVER", "FLAVOR", "RESOURCE", "USED", "OF AT MOST", "BY", "ATTEMPTS");
    for (JsonNode node : over.path("first")) {
      table.add(
          "  "
              + node.path("kind").asText().toLowerCase(Locale.ROOT)
              + "/"
              + node.path("name").asText(),
          node.path("flavor").asText(),
          node.path("resource").asText(),
          Amounts.shown(node.path("used"), node.path("resource")),
          Amounts.shown(node.path("most"), node.path("resource")),
          terminal.styled(
              Terminal.Style.RED, Amounts.shown(node.path("by"), node.path("resource"))),
          attempts(node.path("attempts")));
    }
    section(over, "More in use than there would be; nothing more is admitted there", table);
  }

  private static String attempts(JsonNode attempts) {
    List<String> names = new ArrayList<>();
    for (JsonNode attempt : attempts.path("first")) {
      if (names.size() < NAMED_MAX) {
        names.add(name(attempt));
      }
    }
    int more = attempts.path("count").asInt() - names.size();
    return String.join(", ", names) + (more > 0 ? " and " + more + " more" : "");
  }

  private static String name(JsonNode job) {
    return job.path("namespace").asText() + "/" + job.path("name").asText();
  }

  private void evictions(JsonNode evictions) {
    TextTable table = new TextTable("  EVICTED", "QUEUE", "PRIORITY", "WHY");
    for (JsonNode eviction : evictions.path("first")) {
      table.add(
          "  " + terminal.styled(Terminal.Style.RED, name(eviction)),
          eviction.path("clusterQueue").asText(),
          eviction.path("priority").asText(),
          eviction.path("reason").asText());
    }
    section(evictions, "Told to end", table);
  }

  private void gains(JsonNode gains) {
    TextTable table = new TextTable("  GAINS", "QUEUE", "PRIORITY", "INDICES", "ON");
    for (JsonNode gain : gains.path("first")) {
      table.add(
          "  " + terminal.styled(Terminal.Style.GREEN, name(gain)),
          gain.path("clusterQueue").asText(),
          gain.path("priority").asText(),
          gain.path("indices").asText(),
          gain.path("given").asText());
    }
    section(gains, "Admitted because of it", table);
  }

  private void waits(JsonNode waits) {
    TextTable table = new TextTable("  WAITS", "QUEUE", "PRIORITY", "INDICES", "WHY");
    for (JsonNode wait : waits.path("first")) {
      int indices = wait.path("indices").asInt();
      table.add(
          "  " + terminal.styled(Terminal.Style.YELLOW, name(wait)),
          wait.path("clusterQueue").asText(),
          wait.path("priority").asText(),
          indices == 0 ? "-" : Integer.toString(indices),
          wait.path("reason").asText("-"));
    }
    section(waits, "Waiting because of it", table);
  }

  private void section(JsonNode list, String title, TextTable table) {
    int count = list.path("count").asInt();
    if (count == 0) {
      return;
    }
    int more = count - list.path("first").size();
    terminal.print("");
    terminal.print(title + (more > 0 ? " (" + count + ", the first of them)" : "") + ":");
    terminal.print(table.lines());
  }
}
