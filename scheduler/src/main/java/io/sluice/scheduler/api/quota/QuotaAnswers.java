// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.DecayedUsage;
import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.restmodel.explanation.AcceleratorUsage;
import io.sluice.restmodel.preview.ApplyResult;
import io.sluice.restmodel.quota.QueueStatus;
import io.sluice.restmodel.quota.QuotaObjectView;
import io.sluice.restmodel.quota.QuotaObjectView.QuotaMetadata;
import io.sluice.scheduler.api.Texts;
import io.sluice.scheduler.api.explanation.AcceleratorAnswers;
import io.sluice.scheduler.execution.AcceleratorUse;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.quota.StoredObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Converts quota objects, the usage of their quota, and the results of writes for answers. */
public final class QuotaAnswers {
  private static final int USAGE_PLACES = 3;

  private final CommittedView view;

  QuotaAnswers(CommittedView view) {
    this.view = view;
  }

  /** The object; a queue has its usage, and the accelerator use of its jobs. */
  QuotaObjectView of(StoredObject stored, Map<JobId, AcceleratorUse> uses) {
    QuotaObject object = stored.object();
    QueueStatus status = null;
    if (object instanceof ClusterQueue queue) {
      status = view.ask(state -> ofClusterQueue(state, queue, uses)).value();
    } else if (object instanceof LocalQueue queue) {
      status = view.ask(state -> ofLocalQueue(state, queue)).value();
    }
    QuotaObjectView shown = withStatus(stored, status);
    if (object instanceof DatedObject dated) {
      List<String> crossings = view.ask(state -> DatedWarnings.of(state, dated)).value();
      return crossings.isEmpty() ? shown : shown.withWarnings(crossings);
    }
    return shown;
  }

  /** The object with a status; null: its kind has none. */
  static QuotaObjectView withStatus(StoredObject stored, @Nullable QueueStatus status) {
    ObjectNode manifest = ManifestWriter.toJson(stored.object());
    JsonNode spec = manifest.get("spec");
    JsonNode value = manifest.get("value");
    JsonNode description = manifest.get("description");
    List<String> warnings = SelectorWarnings.of(stored.object());
    return new QuotaObjectView(
        manifest.path("apiVersion").asText(),
        manifest.path("kind").asText(),
        metadata(stored),
        spec == null ? null : JournalJson.fields(spec),
        value == null ? null : value.asInt(),
        description == null ? null : description.asText(),
        status,
        warnings.isEmpty() ? null : warnings);
  }

  private static QuotaMetadata metadata(StoredObject stored) {
    ObjectMeta meta = stored.object().meta();
    return new QuotaMetadata(
        meta.name(),
        Texts.unlessEmpty(meta.namespace()),
        entries(meta.labels()),
        entries(meta.annotations()),
        stored.generation(),
        stored.createdAt());
  }

  private static @Nullable Map<String, String> entries(Labels labels) {
    return labels.isEmpty() ? null : labels.entries();
  }

  /**
   * The result of a write of an object, or of its dry run.
   *
   * @param result created, configured, unchanged or deleted
   * @param warnings may be empty
   */
  public static ApplyResult applied(ObjectKey key, String result, List<String> warnings) {
    return ApplyResult.of(
        key.kind().kind(), Texts.unlessEmpty(key.namespace()), key.name(), result, warnings);
  }

  private QueueStatus ofClusterQueue(
      AdmissionState state, ClusterQueue queue, Map<JobId, AcceleratorUse> uses) {
    QueueState live = state.queue(queue.meta().name());
    if (live == null) {
      return new QueueStatus(null, null, null, null, null);
    }
    QuotaTree tree = state.ledger().tree();
    QuotaUsage held = state.ledger().held();
    List<QueueStatus.FlavorUsage> flavors = new ArrayList<>();
    for (ResourceGroup group : queue.resourceGroups()) {
      for (FlavorQuotas quotas : group.flavors()) {
        List<QueueStatus.ResourceUsage> resources = new ArrayList<>();
        for (ResourceQuota quota : quotas.resources()) {
          int number = tree.flavorResources().find(quotas.flavor(), quota.resource());
          resources.add(usage(quota, number < 0 ? 0 : held.used(live.node(), number)));
        }
        flavors.add(new QueueStatus.FlavorUsage(quotas.flavor(), resources));
      }
    }
    return new QueueStatus(
        pending(state, live), live.live().size(), accelerators(live, uses), flavors, null);
  }

  private static QueueStatus.ResourceUsage usage(ResourceQuota quota, long used) {
    ResourceName resource = quota.resource();
    return new QueueStatus.ResourceUsage(
        resource.value(),
        Quantities.format(quota.nominal(), resource),
        Quantities.format(used, resource),
        Quantities.format(Math.max(0, used - quota.nominal()), resource));
  }

  /** A stopped queue has none of its jobs in the index, so they are counted one by one. */
  private static long pending(AdmissionState state, QueueState queue) {
    return queue.admits()
        ? queue.pending().size() + queue.claimants().size()
        : state.jobs().stream()
            .filter(job -> job.queue().equals(queue) && job.state() == JobState.PENDING)
            .count();
  }

  /** The accelerator use of a queue's jobs; null if none is observed. */
  private static @Nullable AcceleratorUsage accelerators(
      QueueState queue, Map<JobId, AcceleratorUse> uses) {
    if (uses.isEmpty()) {
      return null;
    }
    return AcceleratorAnswers.of(
        AcceleratorUse.of(
            queue.live().stream()
                .map(attempt -> attempt.key().job())
                .distinct()
                .map(uses::get)
                .filter(Objects::nonNull)
                .toList()));
  }

  private static QueueStatus ofLocalQueue(AdmissionState state, LocalQueue queue) {
    long pending = 0;
    int admitted = 0;
    for (JobEntry job : state.jobs()) {
      if (job.workload().queue().equals(queue.queueKey())) {
        pending += job.live().isEmpty() ? 1 : 0;
        admitted += job.live().size();
      }
    }
    DecayedUsage used = state.localQueueUsage().used(queue);
    return new QueueStatus(
        pending,
        admitted,
        null,
        null,
        used == null ? null : new QueueStatus.LocalQueueFairSharing(usage(used)));
  }

  /** Usage in the units of each resource, as Kueue writes it. */
  private static QueueStatus.DecayedUsage usage(DecayedUsage used) {
    Map<String, String> consumed = new LinkedHashMap<>();
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
    return new QueueStatus.DecayedUsage(consumed, used.at());
  }
}
