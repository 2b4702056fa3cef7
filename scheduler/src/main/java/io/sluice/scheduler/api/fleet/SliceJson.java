// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A slice as JSON for callers: its properties, condition and holder. */
final class SliceJson {
  private SliceJson() {}

  /**
   * The slice as the state knows it.
   *
   * @param failedHosts of the whole fleet
   */
  static ObjectNode of(Slice slice, AdmissionState state, Set<String> failedHosts) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", slice.name());
    json.put("type", slice.acceleratorType());
    json.put("topology", slice.topology().toString());
    json.put("chips", slice.topology().chips());
    json.put("capacityType", slice.capacityType().word());
    if (slice.forming().block() != null) {
      json.put("block", slice.forming().block());
    }
    if (!slice.forming().parts().isEmpty()) {
      ArrayNode parts = json.putArray("parts");
      slice.forming().parts().forEach(part -> parts.add(part.toString()));
    }
    putStanding(slice.name(), state, json);
    ArrayNode hosts = json.putArray("hosts");
    slice.hosts().forEach(hosts::add);
    if (slice.hosts().stream().anyMatch(failedHosts::contains)) {
      ArrayNode failed = json.putArray("failedHosts");
      slice.hosts().stream().filter(failedHosts::contains).forEach(failed::add);
    }
    putHolders(slice.name(), state, json);
    IndexKey claimant = state.slices().claimant(slice.name());
    if (claimant != null) {
      json.put("claimedBy", claimant.job().toString());
    }
    return json;
  }

  /** Adds the holder of the slice itself, or the holders of the slices formed of it. */
  private static void putHolders(String slice, AdmissionState state, ObjectNode json) {
    for (String held : state.slices().heldOn(slice)) {
      Attempt holder = holder(held, state);
      if (holder != null && held.equals(slice)) {
        putHolder(holder, json);
      } else if (holder != null) {
        putHolder(holder, json.withArray("formed").addObject().put("name", held));
      }
    }
  }

  /** The holder of a slice; null: it has none any more. */
  private static @Nullable Attempt holder(String held, AdmissionState state) {
    AttemptKey key = state.slices().holder(held);
    return key == null ? null : state.findAttempt(key);
  }

  /** The attempt that uses a host of a slice of the fleet; null: none. */
  static @Nullable Attempt user(String host, String slice, AdmissionState state) {
    for (String held : state.slices().heldOn(slice)) {
      Slice known = state.slices().find(held);
      if (known != null && known.hosts().contains(host)) {
        return holder(held, state);
      }
    }
    return null;
  }

  private static void putStanding(String slice, AdmissionState state, ObjectNode json) {
    json.put("condition", state.slices().standings().condition(slice).name());
    SliceStanding standing = state.slices().standings().find(slice);
    if (standing == null) {
      return;
    }
    Instant until = standing.until();
    if (until != null && standing.condition() == SliceCondition.LEAVING) {
      json.put("leavesAt", until.toString());
    }
    RungKey keeper = standing.keptFor();
    if (keeper != null) {
      ObjectNode kept = json.putObject("keptFor");
      kept.put("job", keeper.job().toString());
      putName(keeper.job(), state, kept);
      kept.put("rung", keeper.rung() + 1);
      if (until != null) {
        kept.put("until", until.toString());
      }
    }
  }

  private static void putName(JobId job, AdmissionState state, ObjectNode json) {
    JobEntry entry = state.findJob(job);
    if (entry != null) {
      json.put("name", entry.workload().name());
    }
  }

  /** Adds the holder with the start and the latest end of its use; null: the end is unbounded. */
  static void putHolder(Attempt attempt, ObjectNode json) {
    ObjectNode held = json.putObject("heldBy");
    held.put("job", attempt.key().job().toString());
    held.put("index", attempt.key().index());
    held.put("attempt", attempt.key().attempt());
    held.put("generation", attempt.generation());
    held.put("name", attempt.job().workload().name());
    held.put("namespace", attempt.job().workload().queue().namespace());
    held.put("clusterQueue", attempt.job().queue().name());
    held.put("state", attempt.state().name());
    held.put("since", attempt.admittedAt().toString());
    Instant latestEnd = attempt.latestEnd(Duration.ZERO);
    held.put("until", latestEnd == null ? null : latestEnd.toString());
  }
}
