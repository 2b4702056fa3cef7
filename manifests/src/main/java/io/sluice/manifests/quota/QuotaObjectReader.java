// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import io.sluice.manifests.document.Path;
import io.sluice.manifests.field.KueueVersion;
import io.sluice.manifests.field.LabelFields;
import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.NearestWord;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.field.TaintFields;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.Provisioning;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.queuemodel.quota.WorkloadPriorityClass;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.LocalQueueLimits;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads Kueue's kinds, and those of Sluice. The rules of the former are those of its schema and of
 * its admission webhooks (release 0.19), the defaults those that its API server fills in.
 */
public final class QuotaObjectReader {
  private static final List<String> LOCAL_QUEUE_ANNOTATIONS =
      Stream.concat(LocalQueueLimits.ANNOTATIONS.stream(), QueueTimeLimits.ANNOTATIONS.stream())
          .toList();

  private static final int FLAVOR_ENTRIES_MAX = 8;
  private static final int DESCRIPTION_LENGTH_MAX = 2048;
  private static final List<StopPolicy> STOP_POLICIES = List.of(StopPolicy.values());

  private QuotaObjectReader() {}

  /** The object, of use only if the cursor's violations are empty then. */
  public static QuotaObject read(ObjectKind kind, KueueVersion version, ObjectCursor top) {
    return switch (kind) {
      case TOPOLOGY -> topology(top);
      case RESOURCE_FLAVOR -> resourceFlavor(top);
      case COHORT -> cohort(top);
      case CLUSTER_QUEUE -> clusterQueue(top, version);
      case LOCAL_QUEUE -> localQueue(top);
      case WORKLOAD_PRIORITY_CLASS -> priorityClass(top);
      case COMPUTE_CLASS -> ComputeClassReader.read(top, ReadingTerms.DEFAULT);
      case BOOKING -> DatedObjectReader.booking(top);
      case OUTAGE -> DatedObjectReader.outage(top);
      case TEAM -> TeamReader.team(top);
      case ROLE_BINDING -> TeamReader.roleBinding(top);
    };
  }

  private static ResourceFlavor resourceFlavor(ObjectCursor top) {
    ObjectMeta meta = MetadataReader.global(top, ObjectKind.RESOURCE_FLAVOR.kind(), null);
    ObjectCursor spec = top.objectOrEmpty("spec", "a ResourceFlavor's spec");
    ResourceFlavor flavor =
        new ResourceFlavor(
            meta,
            LabelFields.labels(spec, "nodeLabels", FLAVOR_ENTRIES_MAX),
            TaintFields.taints(spec, "nodeTaints", FLAVOR_ENTRIES_MAX),
            TaintFields.tolerations(spec, "tolerations", FLAVOR_ENTRIES_MAX),
            spec.text("topologyName", Names::requireSubdomain));
    if (flavor.topology() != null && flavor.nodeLabels().isEmpty()) {
      spec.refuse("nodeLabels", "must have a label where there is a topologyName");
    }
    Provisioning unused =
        ProvisioningReader.read(meta, top.path("metadata"), top.violations(), ReadingTerms.DEFAULT);
    spec.end();
    return flavor;
  }

  private static Topology topology(ObjectCursor top) {
    ObjectMeta meta = MetadataReader.global(top, ObjectKind.TOPOLOGY.kind(), null);
    ObjectCursor spec = top.objectOrEmpty("spec", "a Topology's spec");
    spec.requireEntries("levels");
    List<String> levels = new ArrayList<>();
    spec.objects(
        "levels",
        Topology.LEVELS_MAX,
        "a level",
        level -> {
          String label = level.requiredText("nodeLabel", Names::requireQualified);
          level.end();
          if (levels.contains(label)) {
            level.refuse("nodeLabel", "is there twice: each level has its own label");
          } else if (levels.contains(Topology.HOSTNAME)) {
            level.refuse("nodeLabel", "is below " + Topology.HOSTNAME + ", which can only be last");
          }
          levels.add(label);
          return label;
        });
    spec.end();
    return new Topology(meta, levels);
  }

  private static ClusterQueue clusterQueue(ObjectCursor top, KueueVersion version) {
    ObjectMeta meta = MetadataReader.global(top, ObjectKind.CLUSTER_QUEUE.kind(), null);
    ObjectCursor spec = top.objectOrEmpty("spec", "a ClusterQueue's spec");
    String cohort = spec.text(version.cohortField(), Names::requireSubdomain);
    version.refuseOtherCohortField(spec);
    List<ResourceGroup> groups =
        ResourceGroupsReader.ofClusterQueue(version.cohortField(), spec).read();
    ClusterQueue queue =
        new ClusterQueue(
            meta,
            cohort,
            groups,
            QueuePoliciesReader.read(spec, version, meta, top).withFairWeight(fairWeight(spec)));
    spec.refuseUnsupported(
        "admissionChecks", "admissionChecksStrategy", "concurrentAdmissionPolicy");
    spec.end();
    return queue;
  }

  private static Cohort cohort(ObjectCursor top) {
    ObjectMeta meta = MetadataReader.global(top, ObjectKind.COHORT.kind(), null);
    ObjectCursor spec = top.objectOrEmpty("spec", "a Cohort's spec");
    String parent = spec.text("parentName", Names::requireSubdomain);
    spec.refuseAs("parent", "is the name in v1alpha1: here it is parentName");
    if (parent != null && parent.equals(meta.name())) {
      spec.refuse("parentName", "must not be the cohort itself");
    }
    List<ResourceGroup> groups = ResourceGroupsReader.ofCohort(spec).read();
    FairWeight weight = fairWeight(spec);
    spec.end();
    return new Cohort(meta, parent, groups, weight);
  }

  private static LocalQueue localQueue(ObjectCursor top) {
    ObjectMeta meta = MetadataReader.namespaced(top, null);
    if ("".equals(meta.labels().get(LocalQueue.TEAM_LABEL))) {
      top.violations()
          .add(
              top.path("metadata").field("labels").key(LocalQueue.TEAM_LABEL),
              "",
              "must name a team: leave it out for the namespace");
    }
    checkLimits(top, meta);
    ObjectCursor spec = top.objectOrEmpty("spec", "a LocalQueue's spec");
    String clusterQueue = spec.requiredText("clusterQueue", Names::requireSubdomain);
    StopPolicy stopPolicy = stopPolicy(spec);
    FairWeight weight = fairWeight(spec);
    spec.end();
    return new LocalQueue(meta, clusterQueue, stopPolicy, weight);
  }

  /**
   * A limit that is misspelt would be none: so of our annotations only those are taken that are
   * known.
   */
  private static void checkLimits(ObjectCursor top, ObjectMeta meta) {
    Path annotations = top.path("metadata").field("annotations");
    QueueTimeLimits.check(meta.annotations(), annotations, top.violations());
    meta.annotations()
        .entries()
        .forEach(
            (key, value) -> {
              if (!key.startsWith(LocalQueueLimits.ANNOTATION_PREFIX)
                  || QueueTimeLimits.ANNOTATIONS.contains(key)) {
                return;
              }
              if (!LocalQueueLimits.ANNOTATIONS.contains(key)) {
                String known = NearestWord.suggestion(key, LOCAL_QUEUE_ANNOTATIONS);
                top.violations()
                    .add(annotations.key(key), value, "is not known on a LocalQueue" + known);
                return;
              }
              try {
                LocalQueueLimits.check(key, value);
              } catch (InvalidValueException invalid) {
                top.violations()
                    .add(annotations.key(key), value, String.valueOf(invalid.getMessage()));
              }
            });
  }

  private static WorkloadPriorityClass priorityClass(ObjectCursor top) {
    ObjectMeta meta = MetadataReader.global(top, ObjectKind.WORKLOAD_PRIORITY_CLASS.kind(), null);
    String preemptible = meta.annotations().get(WorkloadPriorityClass.PREEMPTIBLE_ANNOTATION);
    if (preemptible != null && !List.of("true", "false").contains(preemptible)) {
      top.violations()
          .add(
              top.path("metadata")
                  .field("annotations")
                  .key(WorkloadPriorityClass.PREEMPTIBLE_ANNOTATION),
              preemptible,
              "must be \"true\" or \"false\"");
    }
    top.require("value");
    int value = top.whole("value", Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
    String description = top.text("description");
    if (description != null && description.length() > DESCRIPTION_LENGTH_MAX) {
      top.refuse("description", "must be at most " + DESCRIPTION_LENGTH_MAX + " characters");
    }
    return new WorkloadPriorityClass(meta, value, description == null ? "" : description);
  }

  static StopPolicy stopPolicy(ObjectCursor spec) {
    return spec.word("stopPolicy", STOP_POLICIES, StopPolicy::word, StopPolicy.NONE);
  }

  private static FairWeight fairWeight(ObjectCursor spec) {
    ObjectCursor fairSharing = spec.object("fairSharing", "fairSharing");
    if (fairSharing == null) {
      return FairWeight.ONE;
    }
    BigDecimal weight = fairSharing.exactQuantity("weight");
    fairSharing.end();
    if (weight != null && weight.signum() < 0) {
      fairSharing.refuse("weight", "must not be negative");
      return FairWeight.ONE;
    }
    return weight == null ? FairWeight.ONE : new FairWeight(weight);
  }
}
