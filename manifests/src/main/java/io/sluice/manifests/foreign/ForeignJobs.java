// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.TopologyFields;
import io.sluice.manifests.job.JobReader;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.JobSpec.Queueing;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.job.StallPolicy;
import io.sluice.queuemodel.quantity.ResourceList;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the foreign jobs among the documents of an input. Retries are not read: the controller of
 * each kind retries inside an attempt, and when it gives up the attempt has failed for good.
 */
final class ForeignJobs {
  private final List<ForeignDocument> documents;
  private final List<ForeignDocument> belongings;
  private final Duration startDeadline;

  ForeignJobs(
      List<ForeignDocument> documents, List<ForeignDocument> belongings, Duration startDeadline) {
    this.documents = documents;
    this.belongings = belongings;
    this.startDeadline = startDeadline;
  }

  /** The jobs, in the order of their first documents; of use only if nothing is wrong. */
  List<ForeignJob> read() {
    List<ForeignJob> jobs = new ArrayList<>();
    Map<String, List<ForeignDocument>> groups = new LinkedHashMap<>();
    for (ForeignDocument document : documents) {
      String group =
          document.root().path("metadata").path("labels").path(ForeignMetadata.GROUP).asText();
      boolean grouped = kindOf(document) == ForeignKind.POD && !group.isEmpty();
      String key = grouped ? document.namespace() + "/" + group : "#" + groups.size();
      groups.computeIfAbsent(key, absent -> new ArrayList<>()).add(document);
    }
    for (List<ForeignDocument> group : groups.values()) {
      ForeignJob job = read(group);
      if (job != null) {
        jobs.add(job);
      }
    }
    return jobs;
  }

  private static ForeignKind kindOf(ForeignDocument document) {
    ForeignKind kind = ForeignKind.of(document.apiVersion(), document.kind());
    if (kind == null) {
      throw new IllegalStateException("no job: " + document.kind());
    }
    return kind;
  }

  private @Nullable ForeignJob read(List<ForeignDocument> group) {
    ForeignDocument first = group.get(0);
    Violations violations = first.violations();
    ObjectCursor top = first.cursor();
    ForeignKind kind = kindOf(first);
    ForeignMetadata metadata = ForeignMetadata.read(top);
    Queueing queueing = metadata.queueing();
    ForeignPodSets podSets = new ForeignPodSets();
    ObjectMeta meta = metadata.meta();
    switch (kind) {
      case JOB -> BatchJobPods.read(top, meta.annotations(), podSets);
      case JOB_SET -> JobSetPods.read(top, podSets);
      case RAY_JOB -> RayPods.readJob(top, podSets);
      case RAY_CLUSTER -> RayPods.readCluster(top, podSets);
      case PATHWAYS_JOB -> PathwaysPods.read(top, first.root(), podSets);
      case TRAIN_JOB -> TrainJobPods.read(top, first.root(), belongings, podSets);
      case POD -> {
        PodGroup.read(group, podSets);
        String name = metadata.group();
        meta = name == null ? meta : metadata.grouped(name);
      }
    }
    if (podSets.pods().isEmpty() && violations.isEmpty()) {
      violations.add(first.path(), "", "has no pods");
    }
    JobSpec spec = violations.isEmpty() ? spec(top, kind, queueing, meta, podSets) : null;
    if (spec == null || group.stream().anyMatch(one -> !one.violations().isEmpty())) {
      return null;
    }
    return new ForeignJob(
        kind,
        spec,
        podSets.places(),
        podSets.elastic(),
        group.stream().map(ForeignDocument::root).toList(),
        belongingsOf(meta.namespace()));
  }

  private List<ObjectNode> belongingsOf(String namespace) {
    return belongings.stream()
        .filter(
            one ->
                one.kind().equals(TrainJobPods.CLUSTER_RUNTIME)
                    || one.namespace().equals(namespace))
        .map(ForeignDocument::root)
        .toList();
  }

  private JobSpec spec(
      ObjectCursor top, ForeignKind kind, Queueing queueing, ObjectMeta meta, ForeignPodSets read) {
    List<PodSetSpec> podSets = read.pods().stream().map(ForeignPods::podSet).toList();
    AcceleratorRequest accelerator = SliceSelectors.read(read.pods(), top.violations());
    String computeClass = computeClass(read.pods(), top.violations());
    refuseOverflow(top, podSets);
    refuseReductions(top, podSets, accelerator != null || computeClass != null);
    TopologyFields.refuseGroups(top, "spec", podSets);
    if (accelerator != null) {
      refusePartsOfSlices(top, kind, read, accelerator);
    }
    return new JobSpec(
        meta,
        queueing,
        podSets,
        accelerator == null ? null : inRange(accelerator, read),
        limits(top, meta, read),
        JobArray.SINGLE,
        computeClass);
  }

  /** The class that the pods select; those that select one must select the same. */
  private static @Nullable String computeClass(List<ForeignPods> all, Violations violations) {
    String name = null;
    for (ForeignPods pods : all) {
      String selected = pods.podSet().template().nodeSelector().get(NodeLabels.COMPUTE_CLASS);
      if (selected != null && name != null && !selected.equals(name)) {
        violations.add(
            pods.podSpec().field("nodeSelector").key(NodeLabels.COMPUTE_CLASS),
            selected,
            "must be the one that the other pod sets select, " + name);
      }
      name = name == null ? selected : name;
    }
    return name;
  }

  private static void refuseOverflow(ObjectCursor top, List<PodSetSpec> podSets) {
    ResourceList total = ResourceList.NONE;
    try {
      for (PodSetSpec podSet : podSets) {
        total = total.plus(podSet.podSet().exactTotal());
      }
    } catch (InvalidValueException overflow) {
      top.refuse("spec", "asks for too much: " + overflow.getMessage());
    }
  }

  private static void refuseReductions(
      ObjectCursor top, List<PodSetSpec> podSets, boolean givenWhole) {
    if (givenWhole && podSets.stream().anyMatch(podSet -> podSet.minCount() != null)) {
      top.refuse("metadata", "must name no least parallelism: slices and classes are given whole");
    }
  }

  /** A replica of Ray's workers is what is added and taken away, so it must be a whole slice. */
  private static void refusePartsOfSlices(
      ObjectCursor top, ForeignKind kind, ForeignPodSets read, AcceleratorRequest accelerator) {
    boolean ray = kind == ForeignKind.RAY_JOB || kind == ForeignKind.RAY_CLUSTER;
    for (ForeignPods pods : read.pods()) {
      for (PodSetPlace place : read.places()) {
        if (ray
            && SliceSelectors.hasChips(pods)
            && place.podSet().equals(pods.podSet().name())
            && place.podsPerReplica() != accelerator.hostsPerSlice()) {
          top.violations()
              .add(
                  pods.podSpec(),
                  "",
                  "is of "
                      + place.podsPerReplica()
                      + " hosts a replica: numOfHosts must be "
                      + accelerator.hostsPerSlice()
                      + ", the hosts of a slice");
        }
      }
    }
  }

  /** The request with the range of the pod set that has the slices, if each replica is a slice. */
  private static AcceleratorRequest inRange(AcceleratorRequest asked, ForeignPodSets read) {
    for (ForeignPods pods : read.pods()) {
      for (ElasticRange range : read.elastic()) {
        boolean onSlices =
            range.podSet().equals(pods.podSet().name()) && SliceSelectors.hasChips(pods);
        if (onSlices && asked.slices().equals(SliceRange.exactly(range.replicasMax()))) {
          return new AcceleratorRequest(
              asked.type(),
              asked.topology(),
              new SliceRange(range.replicasMin(), range.replicasMax()),
              asked.hostsPerSlice());
        }
      }
    }
    return asked;
  }

  private JobLimits limits(ObjectCursor top, ObjectMeta meta, ForeignPodSets read) {
    Integer limit = read.limitSeconds();
    Duration usual = JobLimits.DEFAULT.gracePeriod();
    Duration grace = Duration.ZERO;
    for (ForeignPods pods : read.pods()) {
      Integer seconds = pods.graceSeconds();
      Duration own = seconds == null ? usual : Duration.ofSeconds(seconds);
      grace = own.compareTo(grace) > 0 ? own : grace;
    }
    return new JobLimits(
        limit == null ? null : Duration.ofSeconds(limit),
        grace,
        0,
        new AttemptDeadlines(startDeadline, null, StallPolicy.FAIL),
        JobReader.labelledExecution(meta, top.path("metadata"), top.violations()));
  }
}
