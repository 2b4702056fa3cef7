// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.options.AcceleratorWords;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.Amounts;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Formats the table of each kind. */
final class Tables {
  private final Terminal terminal;
  private final Instant now;

  Tables(Terminal terminal, Instant now) {
    this.terminal = terminal;
    this.now = now;
  }

  TextTable of(Kinds kinds, List<JsonNode> items) {
    return switch (kinds) {
      case JOBS -> jobs(items);
      case CLUSTER_QUEUES -> clusterQueues(items);
      case LOCAL_QUEUES -> localQueues(items);
      case COHORTS -> cohorts(items);
      case FLAVORS -> flavors(items);
      case PRIORITY_CLASSES -> priorityClasses(items);
      case COMPUTE_CLASSES -> computeClasses(items);
      case TOPOLOGIES -> topologies(items);
      case FLEET -> fleet(items);
      case HOSTS -> hosts(items);
      case ALLOCATIONS -> allocations(items);
      case EVENTS -> events(items);
      case ATTEMPTS -> attempts(items);
      case PENDING -> pending(items);
      case PIPELINES -> new PipelineTables(terminal, now).pipelines(items);
      case RUNS -> new PipelineTables(terminal, now).runs(items);
      case BACKFILLS -> new PipelineTables(terminal, now).backfills(items);
    };
  }

  private static String name(JsonNode item) {
    return item.path("metadata").path("name").asText();
  }

  private static String namespace(JsonNode item) {
    return item.path("metadata").path("namespace").asText();
  }

  private String age(JsonNode item) {
    return Age.of(item.path("metadata").path("creationTimestamp").asText(), now);
  }

  private TextTable jobs(List<JsonNode> items) {
    TextTable table =
        new TextTable("NAMESPACE", "NAME", "QUEUE", "PRIORITY", "STATE", "AGE", "REASON");
    for (JsonNode job : items) {
      JsonNode status = job.path("status");
      table.add(
          namespace(job),
          name(job),
          job.path("spec").path("queue").asText(),
          status.path("priority").asText(),
          terminal.state(status.path("state").asText())
              + indices(status)
              + (status.has("hold") ? ", held" : ""),
          Age.of(status.path("createdAt").asText(), now),
          status.path("reason").asText(""));
    }
    return table;
  }

  private TextTable pending(List<JsonNode> items) {
    TextTable table =
        new TextTable("PLACE", "NAMESPACE", "NAME", "QUEUE", "PLACE IN QUEUE", "PRIORITY", "AGE");
    for (JsonNode job : items) {
      table.add(
          job.path("positionInClusterQueue").asText(),
          namespace(job),
          name(job),
          job.path("localQueueName").asText(),
          job.path("positionInLocalQueue").asText(),
          job.path("priority").asText(),
          age(job));
    }
    return table;
  }

  /** Returns for an array how many of its indices have ended, and how many of these failed. */
  private static String indices(JsonNode status) {
    JsonNode indices = status.path("indices");
    if (indices.isMissingNode()) {
      return "";
    }
    int failed = indices.path("failedCount").asInt();
    return " "
        + indices.path("ended").asText()
        + "/"
        + indices.path("count").asText()
        + (failed == 0 ? "" : ", " + failed + " failed");
  }

  private TextTable clusterQueues(List<JsonNode> items) {
    TextTable table =
        new TextTable(
            "NAME",
            "COHORT",
            "PENDING",
            "ADMITTED",
            "USED OF NOMINAL",
            "BORROWED",
            "DUTY CYCLE",
            "STOP POLICY",
            "AGE");
    for (JsonNode queue : items) {
      StringJoiner used = new StringJoiner(", ");
      StringJoiner borrowed = new StringJoiner(", ");
      for (JsonNode flavor : queue.path("status").path("flavorsUsage")) {
        for (JsonNode resource : flavor.path("resources")) {
          used.add(
              "%s/%s %s %s"
                  .formatted(
                      Amounts.shown(resource.path("total"), resource.path("name")),
                      Amounts.shown(resource.path("nominal"), resource.path("name")),
                      flavor.path("name").asText(),
                      resource.path("name").asText()));
          if (!resource.path("borrowed").asText().equals("0")) {
            borrowed.add(Amounts.shown(resource.path("borrowed"), resource.path("name")));
          }
        }
      }
      table.add(
          name(queue),
          queue.path("spec").path("cohortName").asText("-"),
          queue.path("status").path("pendingWorkloads").asText("-"),
          queue.path("status").path("admittedWorkloads").asText("-"),
          used.toString(),
          borrowed.length() == 0 ? "-" : borrowed.toString(),
          AcceleratorWords.dutyCycle(queue.path("status").path("accelerators")),
          stopPolicy(queue),
          age(queue));
    }
    return table;
  }

  private TextTable localQueues(List<JsonNode> items) {
    TextTable table =
        new TextTable(
            "NAMESPACE", "NAME", "CLUSTERQUEUE", "PENDING", "ADMITTED", "STOP POLICY", "AGE");
    for (JsonNode queue : items) {
      table.add(
          namespace(queue),
          name(queue),
          queue.path("spec").path("clusterQueue").asText(),
          queue.path("status").path("pendingWorkloads").asText("-"),
          queue.path("status").path("admittedWorkloads").asText("-"),
          stopPolicy(queue),
          age(queue));
    }
    return table;
  }

  /** Returns Hold or HoldAndDrain for a stopped queue; a dash for one that admits. */
  private String stopPolicy(JsonNode queue) {
    String policy = queue.path("spec").path("stopPolicy").asText("None");
    return policy.equals("None") ? "-" : terminal.styled(Terminal.Style.YELLOW, policy);
  }

  private TextTable cohorts(List<JsonNode> items) {
    TextTable table = new TextTable("NAME", "PARENT", "AGE");
    for (JsonNode cohort : items) {
      table.add(name(cohort), cohort.path("spec").path("parentName").asText("-"), age(cohort));
    }
    return table;
  }

  private TextTable flavors(List<JsonNode> items) {
    TextTable table = new TextTable("NAME", "NODE LABELS", "AGE");
    for (JsonNode flavor : items) {
      List<String> labels = new ArrayList<>();
      for (Map.Entry<String, JsonNode> label :
          flavor.path("spec").path("nodeLabels").properties()) {
        labels.add(label.getKey() + "=" + label.getValue().asText());
      }
      table.add(name(flavor), String.join(",", labels), age(flavor));
    }
    return table;
  }

  private TextTable priorityClasses(List<JsonNode> items) {
    TextTable table = new TextTable("NAME", "VALUE", "DESCRIPTION", "AGE");
    for (JsonNode priority : items) {
      table.add(
          name(priority),
          priority.path("value").asText(),
          priority.path("description").asText(""),
          age(priority));
    }
    return table;
  }

  /** Returns the state of an unused slice: free, unless its provider has not granted it. */
  private static String unheld(JsonNode slice) {
    if (slice.has("formed")) {
      return "formed";
    }
    String condition = slice.path("condition").asText("READY");
    if (slice.has("keptFor")) {
      return "kept for " + slice.path("keptFor").path("name").asText("a job");
    }
    return condition.equals("READY") ? "free" : condition.toLowerCase(Locale.ROOT);
  }

  private TextTable topologies(List<JsonNode> items) {
    TextTable table = new TextTable("NAME", "LEVELS", "AGE");
    for (JsonNode topology : items) {
      List<String> levels = new ArrayList<>();
      for (JsonNode level : topology.path("spec").path("levels")) {
        levels.add(level.path("nodeLabel").asText());
      }
      table.add(name(topology), String.join(", ", levels), age(topology));
    }
    return table;
  }

  private TextTable computeClasses(List<JsonNode> items) {
    TextTable table = new TextTable("NAME", "RUNGS", "OTHERWISE", "AGE");
    for (JsonNode computeClass : items) {
      List<String> rungs = new ArrayList<>();
      for (JsonNode rung : computeClass.path("spec").path("priorities")) {
        rungs.add(capacityType(rung));
      }
      table.add(
          name(computeClass),
          String.join(", ", rungs),
          computeClass.path("spec").path("whenUnsatisfiable").asText(),
          age(computeClass));
    }
    return table;
  }

  private static String capacityType(JsonNode rung) {
    if (rung.path("spot").asBoolean()) {
      return "spot";
    }
    if (rung.path("flexStart").path("enabled").asBoolean()) {
      return "flex-start";
    }
    boolean reserved = rung.path("reservations").path("affinity").asText().equals("Specific");
    return reserved ? "reservation" : "on-demand";
  }

  private TextTable fleet(List<JsonNode> items) {
    TextTable table =
        new TextTable(
            "SLICE", "TYPE", "TOPOLOGY", "CHIPS", "CAPACITY", "HELD BY", "STATE", "SINCE", "UNTIL");
    for (JsonNode slice : items) {
      addSlice(table, slice);
      for (JsonNode formed : slice.path("formed")) {
        addHolder(table, "  " + formed.path("name").asText(), formed.path("heldBy"));
      }
    }
    return table;
  }

  /** Returns the state of the slice's job; a leaving slice is shown as leaving. */
  private static String standing(JsonNode slice) {
    String state =
        slice
            .path("heldBy")
            .path("state")
            .asText(slice.has("claimedBy") ? "claimed" : unheld(slice));
    boolean used = slice.has("heldBy") || slice.has("formed");
    boolean leaves = used && slice.path("condition").asText().equals("LEAVING");
    String standing = leaves ? state + ", leaving" : state;
    return slice.has("reason") ? standing + ": " + slice.path("reason").asText() : standing;
  }

  /** Returns when the slice leaves, else the latest end of its job. */
  private static String until(JsonNode slice) {
    String latestEnd = slice.path("heldBy").path("until").asText("-");
    String kept = slice.path("keptFor").path("until").asText(latestEnd);
    return slice.path("leavesAt").asText(kept);
  }

  /** Returns the state of a host, with its problem or the pods outside Sluice on it. */
  private static String condition(JsonNode host) {
    String condition = host.path("condition").asText().toLowerCase(Locale.ROOT);
    JsonNode outside = host.path("outside");
    if (host.has("reason")) {
      return condition + ": " + host.path("reason").asText();
    }
    return outside.isMissingNode()
        ? condition
        : "%s, %d pods outside Sluice".formatted(condition, outside.path("count").asInt());
  }

  private TextTable hosts(List<JsonNode> items) {
    TextTable table = new TextTable("HOST", "SLICE", "STATE", "CAPACITY", "HELD BY", "SINCE");
    for (JsonNode host : items) {
      List<String> amounts = new ArrayList<>();
      for (Map.Entry<String, JsonNode> amount : host.path("capacity").properties()) {
        amounts.add(
            amount.getKey() + "=" + Amounts.shown(amount.getValue().asText(), amount.getKey()));
      }
      table.add(
          host.path("name").asText(),
          host.path("slice").asText("-"),
          terminal.state(condition(host)),
          amounts.isEmpty() ? "-" : String.join(",", amounts),
          host.path("heldBy").path("name").asText("-"),
          Age.of(host.path("heldBy").path("since").asText(""), now));
    }
    return table;
  }

  private void addSlice(TextTable table, JsonNode slice) {
    JsonNode held = slice.path("heldBy");
    table.add(
        slice.path("name").asText(),
        slice.path("type").asText(),
        slice.path("topology").asText(),
        slice.path("chips").asText(),
        slice.path("capacityType").asText(),
        held.path("name").asText("-"),
        terminal.state(standing(slice)),
        Age.of(held.path("since").asText(""), now),
        until(slice));
  }

  /** Adds the job on a slice that is formed of the one above. */
  private void addHolder(TextTable table, String name, JsonNode held) {
    table.add(
        name,
        "",
        "",
        "",
        "",
        held.path("name").asText("-"),
        terminal.state(held.path("state").asText()),
        Age.of(held.path("since").asText(""), now),
        held.path("until").asText("-"));
  }

  private TextTable allocations(List<JsonNode> items) {
    TextTable table = new TextTable("SLICE", "JOB", "INDEX", "ATTEMPT", "FROM", "TO");
    for (JsonNode allocation : items) {
      table.add(
          allocation.path("slice").asText(),
          allocation.path("name").asText(),
          allocation.path("index").asText(),
          allocation.path("attempt").asText(),
          allocation.path("from").asText(),
          allocation.path("to").asText("-"));
    }
    return table;
  }

  private static TextTable events(List<JsonNode> items) {
    TextTable table = new TextTable("AT", "EVENT", "WHAT");
    for (JsonNode event : items) {
      table.add(
          event.path("at").asText(), event.path("kind").asText(), event.path("text").asText());
    }
    return table;
  }

  private TextTable attempts(List<JsonNode> items) {
    TextTable table =
        new TextTable("INDEX", "ATTEMPT", "STATE", "SLICES", "ADMITTED", "ENDED", "OUTCOME");
    for (JsonNode attempt : items) {
      List<String> slices = new ArrayList<>();
      attempt.path("assignment").path("slices").forEach(slice -> slices.add(slice.asText()));
      String message = attempt.path("message").asText("");
      table.add(
          attempt.path("index").asText(),
          attempt.path("attempt").asText(),
          terminal.state(attempt.path("state").asText()),
          slices.isEmpty() ? "-" : String.join(",", slices),
          attempt.path("admittedAt").asText(),
          attempt.path("endedAt").asText("-"),
          attempt.path("outcome").asText("-") + (message.isEmpty() ? "" : ": " + message));
    }
    return table;
  }
}
