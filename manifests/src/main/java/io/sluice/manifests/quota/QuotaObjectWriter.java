// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.field.KeptFields;
import io.sluice.manifests.field.Schema;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.FlavorAmounts;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.Outage;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.RoleBinding;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.queuemodel.quota.WorkloadPriorityClass;
import io.sluice.queuemodel.quota.policy.AdmissionMode;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.FlavorFungibility;
import io.sluice.queuemodel.quota.policy.FlavorFungibility.Preference;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes Kueue's kinds in {@code v1beta2}, with the defaults spelled out as an API server gives
 * them back.
 */
public final class QuotaObjectWriter implements QuotaObject.Fold<ObjectNode> {
  private static final String TRY_NEXT = QueuePoliciesReader.TRY_NEXT_FLAVOR;
  private static final String STAY = "MayStopSearch";

  @Override
  public ObjectNode resourceFlavor(ResourceFlavor flavor) {
    ObjectNode top = manifest(flavor.kind(), flavor.meta());
    ObjectNode spec = top.putObject("spec");
    FieldWriter.putLabels(spec, "nodeLabels", flavor.nodeLabels());
    FieldWriter.putTaints(spec, "nodeTaints", flavor.nodeTaints());
    FieldWriter.putTolerations(spec, "tolerations", flavor.tolerations());
    FieldWriter.putText(spec, "topologyName", flavor.topology());
    return top;
  }

  @Override
  public ObjectNode topology(Topology topology) {
    ObjectNode top = manifest(topology.kind(), topology.meta());
    ArrayNode levels = top.putObject("spec").putArray("levels");
    topology.levels().forEach(label -> levels.addObject().put("nodeLabel", label));
    return top;
  }

  @Override
  public ObjectNode cohort(Cohort cohort) {
    ObjectNode top = manifest(cohort.kind(), cohort.meta());
    ObjectNode spec = top.putObject("spec");
    FieldWriter.putText(spec, "parentName", cohort.parent());
    putResourceGroups(spec, cohort.resourceGroups());
    putFairWeight(spec, cohort.fairWeight());
    return top;
  }

  @Override
  public ObjectNode clusterQueue(ClusterQueue queue) {
    ObjectNode top = manifest(queue.kind(), annotated(queue));
    ObjectNode spec = top.putObject("spec");
    QueuePolicies policies = queue.policies();
    FieldWriter.putText(spec, "cohortName", queue.cohort());
    spec.put("queueingStrategy", policies.queueingStrategy().word());
    FieldWriter.putSelector(spec, "namespaceSelector", policies.namespaceSelector());
    putResourceGroups(spec, queue.resourceGroups());
    putPreemption(spec, policies.preemption());
    putFlavorFungibility(spec, policies.flavorFungibility());
    spec.put("stopPolicy", policies.stopPolicy().word());
    putFairWeight(spec, policies.fairWeight());
    if (policies.admissionMode() != AdmissionMode.NO_FAIR_SHARING) {
      spec.putObject("admissionScope").put("admissionMode", policies.admissionMode().word());
    }
    return top;
  }

  /** A planned queue that no manifest made gets the annotations that make it one. */
  private static ObjectMeta annotated(ClusterQueue queue) {
    Queueing queueing = queue.policies().queueing();
    boolean said = queue.meta().annotations().get(Queueing.ANNOTATION) != null;
    return said || !queueing.isPlanned() ? queue.meta() : queue.withQueueing(queueing).meta();
  }

  @Override
  public ObjectNode localQueue(LocalQueue queue) {
    ObjectNode top = manifest(queue.kind(), queue.meta());
    ObjectNode spec = top.putObject("spec");
    spec.put("clusterQueue", queue.clusterQueue());
    spec.put("stopPolicy", queue.stopPolicy().word());
    putFairWeight(spec, queue.fairWeight());
    return top;
  }

  @Override
  public ObjectNode priorityClass(WorkloadPriorityClass priorityClass) {
    ObjectNode top = manifest(priorityClass.kind(), priorityClass.meta());
    top.put("value", priorityClass.value());
    FieldWriter.putText(top, "description", priorityClass.description());
    return top;
  }

  @Override
  public ObjectNode computeClass(ComputeClass computeClass) {
    ObjectNode top =
        FieldWriter.manifest(Schema.GKE, computeClass.kind().kind(), computeClass.meta());
    ObjectNode spec = top.putObject("spec");
    ArrayNode priorities = spec.putArray("priorities");
    computeClass.rungs().forEach(rung -> KeptFields.put(priorities.addObject(), rung.fields()));
    KeptFields.put(spec, computeClass.fields());
    spec.put("whenUnsatisfiable", computeClass.whenUnsatisfiable().word());
    return top;
  }

  @Override
  public ObjectNode booking(Booking booking) {
    ObjectNode top = FieldWriter.manifest(Schema.OURS, booking.kind().kind(), booking.meta());
    ObjectNode spec = top.putObject("spec");
    spec.put("clusterQueue", booking.clusterQueue());
    putDated(spec, booking);
    return top;
  }

  @Override
  public ObjectNode outage(Outage outage) {
    ObjectNode top = FieldWriter.manifest(Schema.OURS, outage.kind().kind(), outage.meta());
    ObjectNode spec = top.putObject("spec");
    putDated(spec, outage);
    if (!outage.hosts().isEmpty()) {
      FieldWriter.putTexts(spec, "hosts", outage.hosts());
    }
    return top;
  }

  @Override
  public ObjectNode team(Team team) {
    return TeamWriter.team(team);
  }

  @Override
  public ObjectNode roleBinding(RoleBinding binding) {
    return TeamWriter.roleBinding(binding);
  }

  private static void putDated(ObjectNode spec, DatedObject dated) {
    spec.put("from", dated.period().from().toString());
    spec.put("until", dated.period().until().toString());
    if (!dated.quota().isEmpty()) {
      ArrayNode quota = spec.putArray("quota");
      for (FlavorAmounts its : dated.quota()) {
        ObjectNode entry = quota.addObject().put("flavor", its.flavor());
        if (!its.amounts().isEmpty()) {
          ObjectNode amounts = entry.putObject("amounts");
          its.amounts()
              .amounts()
              .forEach(
                  (resource, amount) ->
                      amounts.put(resource.value(), Quantities.format(amount, resource)));
        }
      }
    }
    if (!dated.slices().isEmpty()) {
      FieldWriter.putTexts(spec, "slices", dated.slices());
    }
  }

  private static ObjectNode manifest(ObjectKind kind, ObjectMeta meta) {
    return FieldWriter.manifest(Schema.KUEUE_WRITTEN, kind.kind(), meta);
  }

  private static void putFairWeight(ObjectNode spec, FairWeight weight) {
    if (!weight.equals(FairWeight.ONE)) {
      spec.putObject("fairSharing").put("weight", weight.value().toPlainString());
    }
  }

  private static void putResourceGroups(ObjectNode spec, List<ResourceGroup> groups) {
    if (groups.isEmpty()) {
      return;
    }
    ArrayNode list = spec.putArray("resourceGroups");
    for (ResourceGroup group : groups) {
      ObjectNode entry = list.addObject();
      FieldWriter.putTexts(
          entry,
          "coveredResources",
          group.coveredResources().stream().map(ResourceName::value).toList());
      ArrayNode flavors = entry.putArray("flavors");
      for (FlavorQuotas flavor : group.flavors()) {
        ArrayNode resources =
            flavors.addObject().put("name", flavor.flavor()).putArray("resources");
        flavor.resources().forEach(quota -> putQuota(resources.addObject(), quota));
      }
    }
  }

  private static void putQuota(ObjectNode entry, ResourceQuota quota) {
    entry.put("name", quota.resource().value());
    putAmount(entry, "nominalQuota", quota.nominal(), quota.resource());
    putAmount(entry, "borrowingLimit", quota.borrowingLimit(), quota.resource());
    putAmount(entry, "lendingLimit", quota.lendingLimit(), quota.resource());
  }

  private static void putAmount(
      ObjectNode entry, String field, @Nullable Long amount, ResourceName resource) {
    if (amount != null) {
      entry.put(field, Quantities.format(amount, resource));
    }
  }

  private static void putPreemption(ObjectNode spec, QueuePreemption preemption) {
    ObjectNode node = spec.putObject("preemption");
    node.put("withinClusterQueue", preemption.withinClusterQueue().word());
    node.put("reclaimWithinCohort", preemption.reclaimWithinCohort().word());
    ObjectNode borrowing = node.putObject("borrowWithinCohort");
    borrowing.put("policy", preemption.borrowWithinCohort().word());
    if (preemption.maxPriorityThreshold() != null) {
      borrowing.put("maxPriorityThreshold", preemption.maxPriorityThreshold());
    }
  }

  /**
   * The preference has no place in the schema unless both searches go on; it has no effect then.
   */
  private static void putFlavorFungibility(ObjectNode spec, FlavorFungibility fungibility) {
    ObjectNode node = spec.putObject("flavorFungibility");
    node.put("whenCanBorrow", fungibility.tryNextBeforeBorrowing() ? TRY_NEXT : STAY);
    node.put("whenCanPreempt", fungibility.tryNextBeforePreempting() ? TRY_NEXT : STAY);
    if (fungibility.preference() != Preference.BORROWING_OVER_PREEMPTION) {
      node.put("preference", fungibility.preference().word());
    }
  }
}
