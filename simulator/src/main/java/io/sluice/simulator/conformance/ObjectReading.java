// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.AdmissionMode;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.FlavorFungibility;
import io.sluice.queuemodel.quota.policy.FlavorFungibility.Preference;
import io.sluice.queuemodel.quota.policy.LabelSelector;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads Kueue's objects leniently: dangling names and absent fields are allowed. */
final class ObjectReading {
  private static final String TRY_NEXT = "TryNextFlavor";

  private ObjectReading() {}

  static ResourceFlavor flavor(JsonNode object) {
    JsonNode spec = object.path("spec");
    return new ResourceFlavor(
        CaseFields.meta(object),
        CaseFields.labels(spec.path("nodeLabels")),
        taints(spec.path("nodeTaints")),
        tolerations(spec.path("tolerations")),
        CaseFields.text(spec, "topologyName"));
  }

  static List<Taint> taints(JsonNode list) {
    List<Taint> taints = new ArrayList<>();
    for (JsonNode taint : list) {
      taints.add(
          new Taint(
              CaseFields.text(taint, "key", ""),
              CaseFields.text(taint, "value", ""),
              word(taint, "effect", Taint.Effect.values(), Taint.Effect::word, null)));
    }
    return taints;
  }

  static List<Toleration> tolerations(JsonNode list) {
    List<Toleration> tolerations = new ArrayList<>();
    for (JsonNode toleration : list) {
      String effect = CaseFields.text(toleration, "effect", "");
      tolerations.add(
          new Toleration(
              CaseFields.text(toleration, "key", ""),
              word(
                  toleration,
                  "operator",
                  Toleration.Operator.values(),
                  Toleration.Operator::word,
                  Toleration.Operator.EQUAL),
              CaseFields.text(toleration, "value", ""),
              effect.isEmpty()
                  ? null
                  : word(toleration, "effect", Taint.Effect.values(), Taint.Effect::word, null)));
    }
    return tolerations;
  }

  static Cohort cohort(JsonNode object) {
    JsonNode spec = object.path("spec");
    return new Cohort(
        CaseFields.meta(object), parent(spec, "parentName"), groups(spec), weight(spec));
  }

  static ClusterQueue queue(JsonNode object) {
    JsonNode spec = object.path("spec");
    return new ClusterQueue(
        CaseFields.meta(object),
        parent(spec, "cohortName"),
        groups(spec),
        new QueuePolicies(
            word(
                spec,
                "queueingStrategy",
                QueueingStrategy.values(),
                QueueingStrategy::word,
                QueueingStrategy.BEST_EFFORT_FIFO),
            preemption(spec.path("preemption")),
            fungibility(spec.path("flavorFungibility")),
            word(spec, "stopPolicy", StopPolicy.values(), StopPolicy::word, StopPolicy.NONE),
            spec.hasNonNull("namespaceSelector") ? selector(spec.get("namespaceSelector")) : null,
            weight(spec),
            word(
                spec.path("admissionScope"),
                "admissionMode",
                AdmissionMode.values(),
                AdmissionMode::word,
                AdmissionMode.NO_FAIR_SHARING)));
  }

  private static @Nullable String parent(JsonNode spec, String field) {
    String parent = CaseFields.text(spec, field, "");
    return parent.isEmpty() ? null : parent;
  }

  static FairWeight weight(JsonNode spec) {
    String written = CaseFields.text(spec.path("fairSharing"), "weight");
    return written == null ? FairWeight.ONE : new FairWeight(Quantities.exact(written));
  }

  private static List<ResourceGroup> groups(JsonNode spec) {
    List<ResourceGroup> groups = new ArrayList<>();
    for (JsonNode group : spec.path("resourceGroups")) {
      List<ResourceName> covered = new ArrayList<>();
      CaseFields.texts(group.path("coveredResources"))
          .forEach(name -> covered.add(new ResourceName(name)));
      List<FlavorQuotas> flavors = new ArrayList<>();
      for (JsonNode flavor : group.path("flavors")) {
        List<ResourceQuota> quotas = new ArrayList<>();
        flavor.path("resources").forEach(quota -> quotas.add(quota(quota)));
        flavors.add(new FlavorQuotas(CaseFields.text(flavor, "name", ""), quotas));
      }
      groups.add(new ResourceGroup(covered, flavors));
    }
    return groups;
  }

  private static ResourceQuota quota(JsonNode quota) {
    ResourceName resource = new ResourceName(CaseFields.text(quota, "name", ""));
    return new ResourceQuota(
        resource,
        quota.hasNonNull("nominalQuota")
            ? CaseFields.amount(quota.get("nominalQuota"), resource)
            : 0,
        limit(quota, "borrowingLimit", resource),
        limit(quota, "lendingLimit", resource));
  }

  private static @Nullable Long limit(JsonNode quota, String field, ResourceName resource) {
    return quota.hasNonNull(field) ? CaseFields.amount(quota.get(field), resource) : null;
  }

  private static QueuePreemption preemption(JsonNode preemption) {
    JsonNode borrowing = preemption.path("borrowWithinCohort");
    return new QueuePreemption(
        policy(preemption, "withinClusterQueue"),
        policy(preemption, "reclaimWithinCohort"),
        policy(borrowing, "policy"),
        borrowing.hasNonNull("maxPriorityThreshold")
            ? borrowing.get("maxPriorityThreshold").asInt()
            : null);
  }

  private static PreemptionPolicy policy(JsonNode node, String field) {
    return word(
        node, field, PreemptionPolicy.values(), PreemptionPolicy::word, PreemptionPolicy.NEVER);
  }

  static FlavorFungibility fungibility(JsonNode fungibility) {
    return new FlavorFungibility(
        CaseFields.text(fungibility, "whenCanBorrow", "").equals(TRY_NEXT),
        CaseFields.text(fungibility, "whenCanPreempt", "").equals(TRY_NEXT),
        word(
            fungibility,
            "preference",
            Preference.values(),
            Preference::word,
            FlavorFungibility.DEFAULT.preference()));
  }

  static LabelSelector selector(JsonNode selector) {
    return new LabelSelector(
        CaseFields.labels(selector.path("matchLabels")),
        requirements(selector.path("matchExpressions")));
  }

  static List<Requirement> requirements(JsonNode list) {
    List<Requirement> requirements = new ArrayList<>();
    for (JsonNode requirement : list) {
      requirements.add(
          new Requirement(
              CaseFields.text(requirement, "key", ""),
              word(requirement, "operator", Operator.values(), Operator::word, null),
              CaseFields.texts(requirement.path("values"))));
    }
    return requirements;
  }

  /** One of a few words; the fallback if none is written, which must be one then. */
  private static <E> E word(
      JsonNode node, String field, E[] words, Function<E, String> notation, @Nullable E fallback) {
    String written = CaseFields.text(node, field, "");
    if (written.isEmpty() && fallback != null) {
      return fallback;
    }
    for (E word : words) {
      if (notation.apply(word).equals(written)) {
        return word;
      }
    }
    throw new UnanswerableCaseException("unknown " + field + " \"" + written + "\"");
  }
}
