// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient.Listing;
import io.sluice.cli.options.AcceleratorWords;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.Amounts;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.fleet.HostView;
import io.sluice.restmodel.fleet.HostView.OutsidePods;
import io.sluice.restmodel.fleet.SliceAllocation;
import io.sluice.restmodel.fleet.SliceHolder;
import io.sluice.restmodel.fleet.SliceView;
import io.sluice.restmodel.fleet.SliceView.FormedSlice;
import io.sluice.restmodel.fleet.SliceView.KeptFor;
import io.sluice.restmodel.job.AttemptView;
import io.sluice.restmodel.job.JobEvent;
import io.sluice.restmodel.job.JobStatus;
import io.sluice.restmodel.job.JobStatus.JobIndices;
import io.sluice.restmodel.job.JobView;
import io.sluice.restmodel.pipeline.Backfill;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.pipeline.SavedPipeline;
import io.sluice.restmodel.plan.PlanEntry;
import io.sluice.restmodel.plan.QueueAccuracy;
import io.sluice.restmodel.quota.PendingWorkloadsSummary.PendingWorkload;
import io.sluice.restmodel.quota.QueueStatus;
import io.sluice.restmodel.quota.QueueStatus.FlavorUsage;
import io.sluice.restmodel.quota.QueueStatus.ResourceUsage;
import io.sluice.restmodel.quota.QuotaObjectView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Formats the table of each kind. */
final class Tables {
  private final Terminal terminal;
  private final Instant now;

  Tables(Terminal terminal, Instant now) {
    this.terminal = terminal;
    this.now = now;
  }

  TextTable of(Kinds kinds, Listing items) {
    return switch (kinds) {
      case JOBS -> jobs(items.as(JobView.class));
      case CLUSTER_QUEUES -> clusterQueues(items.as(QuotaObjectView.class));
      case LOCAL_QUEUES -> localQueues(items.as(QuotaObjectView.class));
      case COHORTS -> cohorts(items.as(QuotaObjectView.class));
      case FLAVORS -> flavors(items.as(QuotaObjectView.class));
      case PRIORITY_CLASSES -> priorityClasses(items.as(QuotaObjectView.class));
      case COMPUTE_CLASSES -> computeClasses(items.as(QuotaObjectView.class));
      case BOOKINGS, OUTAGES -> DatedTable.of(items.as(QuotaObjectView.class));
      case TEAMS -> TeamTables.teams(items.as(QuotaObjectView.class));
      case ROLE_BINDINGS -> TeamTables.roleBindings(items.as(QuotaObjectView.class));
      case TOPOLOGIES -> topologies(items.as(QuotaObjectView.class));
      case FLEET -> fleet(items.as(SliceView.class));
      case HOSTS -> hosts(items.as(HostView.class));
      case ALLOCATIONS -> allocations(items.as(SliceAllocation.class));
      case EVENTS -> events(items.as(JobEvent.class));
      case ATTEMPTS -> attempts(items.as(AttemptView.class));
      case PENDING -> pending(items.as(PendingWorkload.class));
      case PIPELINES -> new PipelineTables(terminal, now).pipelines(items.as(SavedPipeline.class));
      case RUNS -> new PipelineTables(terminal, now).runs(items.as(Run.class));
      case PLAN -> PlanChart.table(items.as(PlanEntry.class));
      case ACCURACY -> accuracy(items.as(QueueAccuracy.class));
      case BACKFILLS -> new PipelineTables(terminal, now).backfills(items.as(Backfill.class));
    };
  }

  private static TextTable accuracy(List<QueueAccuracy> items) {
    TextTable table =
        new TextTable("QUEUE", "STARTS", "STATED", "IN RANGE", "EARLY", "LATE", "WAIT", "ERROR");
    for (QueueAccuracy one : items) {
      table.add(
          one.clusterQueue(),
          Long.toString(one.starts()),
          Amounts.percent(one.confidence()),
          Amounts.percent(one.inRange()),
          Amounts.percent(one.early()),
          Amounts.percent(Math.max(0, 1 - one.inRange() - one.early())),
          age(one.medianWaitSeconds()),
          age(one.medianErrorSeconds()));
    }
    return table;
  }

  private static String age(double seconds) {
    return Age.of(Duration.ofSeconds(Math.round(seconds)));
  }

  private static String name(QuotaObjectView object) {
    return object.metadata().name();
  }

  private String age(QuotaObjectView object) {
    return Age.of(object.metadata().creationTimestamp(), now);
  }

  /** Returns a field of the object's spec, which is a tree as in its manifest. */
  private static JsonNode spec(QuotaObjectView object, String field) {
    return JsonRecords.field(object.spec(), field);
  }

  private TextTable jobs(List<JobView> items) {
    TextTable table =
        new TextTable("NAMESPACE", "NAME", "QUEUE", "PRIORITY", "STATE", "AGE", "REASON");
    for (JobView job : items) {
      JobStatus status = job.status();
      table.add(
          job.metadata().namespace(),
          job.metadata().name(),
          JsonRecords.field(job.spec(), "queue").asText(),
          Integer.toString(status.priority()),
          terminal.state(status.state())
              + indices(status.indices())
              + (status.hold() == null ? "" : ", held"),
          Age.of(status.createdAt(), now),
          Cell.orEmpty(status.reason()));
    }
    return table;
  }

  private TextTable pending(List<PendingWorkload> items) {
    TextTable table =
        new TextTable("PLACE", "NAMESPACE", "NAME", "QUEUE", "PLACE IN QUEUE", "PRIORITY", "AGE");
    for (PendingWorkload job : items) {
      table.add(
          Integer.toString(job.positionInClusterQueue()),
          job.metadata().namespace(),
          job.metadata().name(),
          job.localQueueName(),
          Integer.toString(job.positionInLocalQueue()),
          Integer.toString(job.priority()),
          Age.of(job.metadata().creationTimestamp(), now));
    }
    return table;
  }

  /** Returns for an array how many of its indices have ended, and how many of these failed. */
  private static String indices(@Nullable JobIndices indices) {
    if (indices == null) {
      return "";
    }
    int failed = indices.failedCount();
    return " "
        + indices.ended()
        + "/"
        + indices.count()
        + (failed == 0 ? "" : ", " + failed + " failed");
  }

  private TextTable clusterQueues(List<QuotaObjectView> items) {
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
    for (QuotaObjectView queue : items) {
      QueueStatus status = status(queue);
      StringJoiner used = new StringJoiner(", ");
      StringJoiner borrowed = new StringJoiner(", ");
      List<FlavorUsage> flavors = status.flavorsUsage();
      for (FlavorUsage flavor : flavors == null ? List.<FlavorUsage>of() : flavors) {
        for (ResourceUsage resource : flavor.resources()) {
          used.add(
              "%s/%s %s %s"
                  .formatted(
                      Amounts.shown(resource.total(), resource.name()),
                      Amounts.shown(resource.nominal(), resource.name()),
                      flavor.name(),
                      resource.name()));
          if (!resource.borrowed().equals("0")) {
            borrowed.add(Amounts.shown(resource.borrowed(), resource.name()));
          }
        }
      }
      table.add(
          name(queue),
          spec(queue, "cohortName").asText("-"),
          Cell.orDash(status.pendingWorkloads()),
          Cell.orDash(status.admittedWorkloads()),
          used.toString(),
          borrowed.length() == 0 ? "-" : borrowed.toString(),
          AcceleratorWords.dutyCycle(status.accelerators()),
          stopPolicy(queue),
          age(queue));
    }
    return table;
  }

  /** Returns the status of a queue, which is empty until the server's view has the queue. */
  private static QueueStatus status(QuotaObjectView queue) {
    QueueStatus status = queue.status();
    return status == null ? new QueueStatus(null, null, null, null, null) : status;
  }

  private TextTable localQueues(List<QuotaObjectView> items) {
    TextTable table =
        new TextTable(
            "NAMESPACE", "NAME", "CLUSTERQUEUE", "PENDING", "ADMITTED", "STOP POLICY", "AGE");
    for (QuotaObjectView queue : items) {
      QueueStatus status = status(queue);
      table.add(
          Cell.orEmpty(queue.metadata().namespace()),
          name(queue),
          spec(queue, "clusterQueue").asText(),
          Cell.orDash(status.pendingWorkloads()),
          Cell.orDash(status.admittedWorkloads()),
          stopPolicy(queue),
          age(queue));
    }
    return table;
  }

  /** Returns Hold or HoldAndDrain for a stopped queue; a dash for one that admits. */
  private String stopPolicy(QuotaObjectView queue) {
    String policy = spec(queue, "stopPolicy").asText("None");
    return policy.equals("None") ? "-" : terminal.styled(Terminal.Style.YELLOW, policy);
  }

  private TextTable cohorts(List<QuotaObjectView> items) {
    TextTable table = new TextTable("NAME", "PARENT", "AGE");
    for (QuotaObjectView cohort : items) {
      table.add(name(cohort), spec(cohort, "parentName").asText("-"), age(cohort));
    }
    return table;
  }

  private TextTable flavors(List<QuotaObjectView> items) {
    TextTable table = new TextTable("NAME", "NODE LABELS", "AGE");
    for (QuotaObjectView flavor : items) {
      List<String> labels = new ArrayList<>();
      for (Map.Entry<String, JsonNode> label : spec(flavor, "nodeLabels").properties()) {
        labels.add(label.getKey() + "=" + label.getValue().asText());
      }
      table.add(name(flavor), String.join(",", labels), age(flavor));
    }
    return table;
  }

  private TextTable priorityClasses(List<QuotaObjectView> items) {
    TextTable table = new TextTable("NAME", "VALUE", "DESCRIPTION", "AGE");
    for (QuotaObjectView priority : items) {
      table.add(
          name(priority),
          Cell.orEmpty(priority.value()),
          Cell.orEmpty(priority.description()),
          age(priority));
    }
    return table;
  }

  /** Returns the state of an unused slice: free, unless its provider has not granted it. */
  private static String unheld(SliceView slice) {
    if (slice.formed() != null) {
      return "formed";
    }
    KeptFor keptFor = slice.keptFor();
    if (keptFor != null) {
      return "kept for " + Cell.or(keptFor.name(), "a job");
    }
    String condition = slice.condition();
    return condition.equals("READY") ? "free" : condition.toLowerCase(Locale.ROOT);
  }

  private TextTable topologies(List<QuotaObjectView> items) {
    TextTable table = new TextTable("NAME", "LEVELS", "AGE");
    for (QuotaObjectView topology : items) {
      List<String> levels = new ArrayList<>();
      for (JsonNode level : spec(topology, "levels")) {
        levels.add(level.path("nodeLabel").asText());
      }
      table.add(name(topology), String.join(", ", levels), age(topology));
    }
    return table;
  }

  private TextTable computeClasses(List<QuotaObjectView> items) {
    TextTable table = new TextTable("NAME", "RUNGS", "OTHERWISE", "AGE");
    for (QuotaObjectView computeClass : items) {
      List<String> rungs = new ArrayList<>();
      for (JsonNode rung : spec(computeClass, "priorities")) {
        rungs.add(capacityType(rung));
      }
      table.add(
          name(computeClass),
          String.join(", ", rungs),
          spec(computeClass, "whenUnsatisfiable").asText(),
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

  private TextTable fleet(List<SliceView> items) {
    TextTable table =
        new TextTable(
            "SLICE", "TYPE", "TOPOLOGY", "CHIPS", "CAPACITY", "HELD BY", "STATE", "SINCE", "UNTIL");
    for (SliceView slice : items) {
      addSlice(table, slice);
      List<FormedSlice> formed = slice.formed();
      if (formed != null) {
        formed.forEach(one -> addHolder(table, "  " + one.name(), one.heldBy()));
      }
    }
    return table;
  }

  /** Returns the state of the slice's job; a leaving slice is shown as leaving. */
  private static String standing(SliceView slice) {
    SliceHolder held = slice.heldBy();
    String unused = slice.claimedBy() == null ? unheld(slice) : "claimed";
    String state = held == null ? unused : held.state();
    boolean used = held != null || slice.formed() != null;
    boolean leaves = used && slice.condition().equals("LEAVING");
    String standing = leaves ? state + ", leaving" : state;
    return slice.reason() == null ? standing : standing + ": " + slice.reason();
  }

  /** Returns when the slice leaves, else the latest end of its job. */
  private static String until(SliceView slice) {
    SliceHolder held = slice.heldBy();
    KeptFor keptFor = slice.keptFor();
    String latestEnd = Cell.orDash(held == null ? null : held.until());
    String kept = Cell.or(keptFor == null ? null : keptFor.until(), latestEnd);
    return Cell.or(slice.leavesAt(), kept);
  }

  /** Returns the state of a host, with its problem or the pods outside Sluice on it. */
  private static String condition(HostView host) {
    String condition = host.condition().toLowerCase(Locale.ROOT);
    if (host.reason() != null) {
      return condition + ": " + host.reason();
    }
    OutsidePods outside = host.outside();
    return outside == null
        ? condition
        : "%s, %d pods outside Sluice".formatted(condition, outside.count());
  }

  private TextTable hosts(List<HostView> items) {
    TextTable table = new TextTable("HOST", "SLICE", "STATE", "CAPACITY", "HELD BY", "SINCE");
    for (HostView host : items) {
      List<String> amounts = new ArrayList<>();
      host.capacity()
          .forEach(
              (resource, amount) -> amounts.add(resource + "=" + Amounts.shown(amount, resource)));
      SliceHolder held = host.heldBy();
      table.add(
          host.name(),
          Cell.orDash(host.slice()),
          terminal.state(condition(host)),
          amounts.isEmpty() ? "-" : String.join(",", amounts),
          held == null ? "-" : holder(held),
          held == null ? "" : Age.of(held.since(), now));
    }
    return table;
  }

  private void addSlice(TextTable table, SliceView slice) {
    SliceHolder held = slice.heldBy();
    table.add(
        slice.name(),
        slice.type(),
        slice.topology(),
        Long.toString(slice.chips()),
        slice.capacityType(),
        held == null ? "-" : holder(held),
        terminal.state(standing(slice)),
        held == null ? "" : Age.of(held.since(), now),
        until(slice));
  }

  /** Returns the name of a holder, or else of its queue if the caller may not read it. */
  private static String holder(SliceHolder held) {
    return Cell.or(held.name(), "a job of " + held.clusterQueue());
  }

  /** Adds the job on a slice that is formed of the one above. */
  private void addHolder(TextTable table, String name, SliceHolder held) {
    table.add(
        name,
        "",
        "",
        "",
        "",
        holder(held),
        terminal.state(held.state()),
        Age.of(held.since(), now),
        Cell.orDash(held.until()));
  }

  private static TextTable allocations(List<SliceAllocation> items) {
    TextTable table = new TextTable("SLICE", "JOB", "INDEX", "ATTEMPT", "FROM", "TO");
    for (SliceAllocation allocation : items) {
      table.add(
          allocation.slice(),
          Cell.orDash(allocation.name()),
          Cell.orDash(allocation.index()),
          Cell.orDash(allocation.attempt()),
          allocation.from().toString(),
          Cell.orDash(allocation.to()));
    }
    return table;
  }

  private static TextTable events(List<JobEvent> items) {
    TextTable table = new TextTable("AT", "EVENT", "WHAT");
    for (JobEvent event : items) {
      table.add(event.at().toString(), event.kind(), event.text());
    }
    return table;
  }

  private TextTable attempts(List<AttemptView> items) {
    TextTable table =
        new TextTable("INDEX", "ATTEMPT", "STATE", "SLICES", "ADMITTED", "ENDED", "OUTCOME");
    for (AttemptView attempt : items) {
      List<String> slices = attempt.assignment().slices();
      String message = Cell.orEmpty(attempt.message());
      table.add(
          Integer.toString(attempt.index()),
          Integer.toString(attempt.attempt()),
          terminal.state(attempt.state()),
          slices.isEmpty() ? "-" : String.join(",", slices),
          attempt.admittedAt().toString(),
          Cell.orDash(attempt.endedAt()),
          Cell.orDash(attempt.outcome()) + (message.isEmpty() ? "" : ": " + message));
    }
    return table;
  }
}
