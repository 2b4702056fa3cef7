// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.DecayedUsage;
import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.restmodel.explanation.AcceleratorUsage;
import io.sluice.scheduler.api.explanation.AcceleratorAnswers;
import io.sluice.scheduler.api.pipeline.PipelineJson;
import io.sluice.scheduler.execution.AcceleratorUse;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.quota.StoredObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Objects;

/** A quota object as JSON for callers: its manifest, and the usage of its quota. */
public final class QuotaJson {
  private static final int USAGE_PLACES = 3;

  private QuotaJson() {}

  /** The object, with the accelerator use of its jobs. */
  static ObjectNode of(StoredObject stored, CommittedView view, Map<JobId, AcceleratorUse> uses) {
    ObjectNode json = ManifestWriter.toJson(stored.object());
    ObjectNode metadata = (ObjectNode) json.get("metadata");
    metadata.put("generation", stored.generation());
    metadata.put("creationTimestamp", stored.createdAt().toString());
    QuotaObject object = stored.object();
    if (object instanceof ClusterQueue queue) {
      view.ask(state -> writeQueue(state, queue, uses, json.putObject("status")));
    } else if (object instanceof LocalQueue queue) {
      view.ask(state -> writeLocalQueue(state, queue, json.putObject("status")));
    }
    PipelineJson.putWarnings(json, SelectorWarnings.of(object));
    return json;
  }

  /** Writes the kind, namespace and name of an object. */
  public static void name(ObjectKey key, ObjectNode json) {
    json.put("kind", key.kind().kind());
    if (!key.namespace().isEmpty()) {
      json.put("namespace", key.namespace());
    }
    json.put("name", key.name());
  }

  /** A stopped queue has none of its jobs in the index, so they are counted one by one. */
  private static long pending(AdmissionState state, QueueState queue) {
    return queue.admits()
        ? queue.pending().size() + queue.claimants().size()
        : state.jobs().stream()
            .filter(job -> job.queue().equals(queue) && job.state() == JobState.PENDING)
            .count();
  }

  private static boolean writeQueue(
      AdmissionState state,
      ClusterQueue queue,
      Map<JobId, AcceleratorUse> uses,
      ObjectNode status) {
    QueueState live = state.queue(queue.meta().name());
    if (live == null) {
      return false;
    }
    status.put("pendingWorkloads", pending(state, live));
    status.put("admittedWorkloads", live.live().size());
    if (!uses.isEmpty()) {
      AcceleratorUsage use =
          AcceleratorAnswers.of(
              AcceleratorUse.of(
                  live.live().stream()
                      .map(attempt -> attempt.key().job())
                      .distinct()
                      .map(uses::get)
                      .filter(Objects::nonNull)
                      .toList()));
      if (use != null) {
        status.putPOJO("accelerators", use);
      }
    }
    QuotaTree tree = state.ledger().tree();
    QuotaUsage held = state.ledger().held();
    ArrayNode flavors = status.putArray("flavorsUsage");
    for (ResourceGroup group : queue.resourceGroups()) {
      for (FlavorQuotas quotas : group.flavors()) {
        ObjectNode flavor = flavors.addObject();
        flavor.put("name", quotas.flavor());
        ArrayNode resources = flavor.putArray("resources");
        for (ResourceQuota quota : quotas.resources()) {
          ResourceName resource = quota.resource();
          int number = tree.flavorResources().find(quotas.flavor(), resource);
          long used = number < 0 ? 0 : held.used(live.node(), number);
          ObjectNode one = resources.addObject();
          one.put("name", resource.value());
          one.put("nominal", Quantities.format(quota.nominal(), resource));
          one.put("total", Quantities.format(used, resource));
          one.put("borrowed", Quantities.format(Math.max(0, used - quota.nominal()), resource));
        }
      }
    }
    return true;
  }

  private static boolean writeLocalQueue(
      AdmissionState state, LocalQueue queue, ObjectNode status) {
    int pending = 0;
    int admitted = 0;
    for (JobEntry job : state.jobs()) {
      if (job.workload().queue().equals(queue.queueKey())) {
        pending += job.live().isEmpty() ? 1 : 0;
        admitted += job.live().size();
      }
    }
    status.put("pendingWorkloads", pending);
    status.put("admittedWorkloads", admitted);
    DecayedUsage used = state.localQueueUsage().used(queue);
    if (used != null) {
      writeUsage(used, status.putObject("fairSharing").putObject("admissionFairSharingStatus"));
    }
    return true;
  }

  /** Writes usage in the units of each resource, as Kueue does. */
  private static void writeUsage(DecayedUsage used, ObjectNode status) {
    ObjectNode consumed = status.putObject("consumedResources");
    used.amounts()
        .forEach(
            (resource, amount) ->
                consumed.put(
                    resource.value(),
                    amount
                        .divide(BigDecimal.valueOf(resource.unitsPerOne()))
                        .setScale(USAGE_PLACES, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString()));
    status.put("lastUpdate", used.at().toString());
  }
}
