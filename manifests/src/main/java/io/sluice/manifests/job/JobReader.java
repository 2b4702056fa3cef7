// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.job;

import io.sluice.computeclasses.NodeLabels;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.AcceleratorReader;
import io.sluice.manifests.field.AcceleratorReader.SliceKind;
import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.field.TopologyFields;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.JobSpec.PrioritySpec;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.job.StallPolicy;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads {@code kind: Job}. */
public final class JobReader {
  static final String DEFAULT_NAME = "job";
  static final String ONLY_POD_SET = "main";
  static final String SLICE_POD_SET = "workers";
  private static final String MAX_EXECUTION_LABEL = "kueue.x-k8s.io/max-exec-time-seconds";

  private static final int POD_SETS_MAX = 16;
  private static final int PODS_MAX = 100_000;
  private static final int ARRAY_MAX = 1_000_000;
  private static final int RANGES_MAX = 10_000;
  private static final int FAILURES_MAX = 1000;

  private static final Duration GRACE_MAX = Duration.ofHours(1);

  private static final Duration DEADLINE_MIN = Duration.ofSeconds(1);
  private static final List<StallPolicy> STALL_POLICIES = List.of(StallPolicy.values());

  private final ObjectCursor spec;
  private final ReadingTerms terms;

  private JobReader(ObjectCursor spec, ReadingTerms terms) {
    this.spec = spec;
    this.terms = terms;
  }

  /** The job, of use only if the cursor's violations are empty then. */
  public static JobSpec read(ObjectCursor top, ReadingTerms terms) {
    ObjectMeta meta = MetadataReader.namespaced(top, DEFAULT_NAME);
    ObjectCursor spec = top.objectOrEmpty("spec", "a Job's spec");
    JobSpec job = new JobReader(spec, terms).read(meta);
    spec.end();
    return job;
  }

  private JobSpec read(ObjectMeta meta) {
    String queue = spec.text("queue", Names::requireSubdomain);
    PrioritySpec priority =
        new PrioritySpec(
            spec.text("priorityClass", Names::requireSubdomain), spec.flag("preemptible"));
    boolean hold = Boolean.TRUE.equals(spec.flag("hold"));
    TemplateFields defaults = TemplateFields.read(spec, terms);
    ObjectCursor accelerator = spec.object("accelerator", "a Job's accelerator");
    List<PodSetSpec> podSets = podSets(defaults);
    AcceleratorRequest request = null;
    if (accelerator != null) {
      request = accelerator(accelerator);
      if (spec.has("podSets")) {
        spec.refuse("podSets", "must not be there beside accelerator, which makes the pods");
      } else {
        podSets = List.of(workers(request, podSets.get(0).template(), accelerator));
      }
    }
    refuseOverflow(podSets);
    String computeClass = computeClass(podSets);
    if (computeClass == null) {
      spec.require("queue");
    }
    refuseReductions(podSets, computeClass);
    TopologyFields.refuseGroups(spec, "podSets", podSets);
    return new JobSpec(
        meta,
        new JobSpec.Queueing(queue, priority, hold),
        podSets,
        request,
        limits(meta),
        array(),
        computeClass);
  }

  /** The class that is named, as a field or by the pods' node selectors as on GKE. */
  private @Nullable String computeClass(List<PodSetSpec> podSets) {
    String name = spec.text("computeClass", Names::requireSubdomain);
    for (PodSetSpec podSet : podSets) {
      String selected = podSet.template().nodeSelector().get(NodeLabels.COMPUTE_CLASS);
      if (selected != null && name != null && !selected.equals(name)) {
        spec.violations()
            .add(
                spec.path("computeClass"),
                name,
                "must be the one that pod set " + podSet.name() + " selects, " + selected);
      }
      name = name == null ? selected : name;
    }
    return name;
  }

  private @Nullable AcceleratorRequest accelerator(ObjectCursor cursor) {
    SliceKind kind = AcceleratorReader.sliceKind(cursor, terms);
    SliceRange slices = AcceleratorReader.slices(cursor);
    cursor.end();
    if (kind == null || slices == null) {
      return null;
    }
    long pods = (long) slices.max() * kind.hosts();
    if (pods > PODS_MAX) {
      cursor.refuse("slices", "makes " + pods + " pods, one a host: at most " + PODS_MAX);
      return null;
    }
    return new AcceleratorRequest(kind.type().name(), kind.topology(), slices, kind.hosts());
  }

  /** The pods of all slices, one a host; just one if it is not known how many. */
  private PodSetSpec workers(
      @Nullable AcceleratorRequest request, PodTemplate template, ObjectCursor accelerator) {
    TreeMap<ResourceName, Long> requests = new TreeMap<>(template.requests().amounts());
    Long asked =
        requests.put(
            ResourceName.TPU,
            request == null ? 1 : request.topology().chips() / request.hostsPerSlice());
    if (asked != null) {
      spec.violations()
          .add(
              spec.path("requests").key(ResourceName.TPU.value()),
              asked.toString(),
              "must not be there beside " + accelerator.path() + ", which says how many");
    }
    return new PodSetSpec(
        SLICE_POD_SET,
        request == null ? 1 : request.slices().max() * request.hostsPerSlice(),
        template.withRequests(new ResourceList(requests)));
  }

  /** The pod sets that are written, or the one that is there without. */
  private List<PodSetSpec> podSets(TemplateFields defaults) {
    Set<String> names = new HashSet<>();
    List<PodSetSpec> podSets =
        spec.objects(
            "podSets", POD_SETS_MAX, "a pod set", cursor -> podSet(cursor, defaults, names));
    if (spec.isList("podSets")) {
      spec.requireEntries("podSets");
      return podSets;
    }
    return List.of(new PodSetSpec(ONLY_POD_SET, 1, defaults.template(spec)));
  }

  private PodSetSpec podSet(ObjectCursor cursor, TemplateFields defaults, Set<String> names) {
    String name = cursor.requiredText("name", Names::requireLabel);
    if (!name.isEmpty() && !names.add(name)) {
      cursor.refuse("name", "is there twice");
    }
    int count = cursor.whole("count", 1, PODS_MAX, 1);
    PodTemplate template = TemplateFields.read(cursor, terms).over(defaults).template(cursor);
    Integer minCount = cursor.whole("minCount", 1, PODS_MAX);
    if (minCount != null && minCount > count) {
      cursor.refuse("minCount", "must not be more than count");
    }
    PodSetSpec podSet =
        TopologyFields.read(cursor, new PodSetSpec(name, count, template, minCount));
    cursor.end();
    return podSet;
  }

  /** What the engine adds up must fit a long. */
  private void refuseOverflow(List<PodSetSpec> podSets) {
    ResourceList total = ResourceList.NONE;
    try {
      for (PodSetSpec podSet : podSets) {
        total = total.plus(podSet.podSet().exactTotal());
      }
    } catch (InvalidValueException overflow) {
      String field = spec.has("podSets") ? "podSets" : "requests";
      spec.violations().add(spec.path(field), "", "ask for too much: " + overflow.getMessage());
    }
  }

  /** As in Kueue one pod set may shrink; what a rung of a class gives is whole. */
  private void refuseReductions(List<PodSetSpec> podSets, @Nullable String computeClass) {
    List<PodSetSpec> shrinking =
        podSets.stream().filter(podSet -> podSet.minCount() != null).toList();
    if (shrinking.size() > 1) {
      spec.refuse("podSets", "must have a minCount on at most one of them");
    } else if (!shrinking.isEmpty() && computeClass != null) {
      spec.refuse("podSets", "must have no minCount beside a computeClass");
    }
  }

  private JobLimits limits(ObjectMeta meta) {
    JobLimits defaults = JobLimits.DEFAULT;
    Duration timeLimit =
        spec.duration("timeLimit", JobLimits.TIME_LIMIT_MIN, JobLimits.TIME_LIMIT_MAX);
    Duration execution =
        spec.duration("maximumExecutionTime", JobLimits.TIME_LIMIT_MIN, JobLimits.TIME_LIMIT_MAX);
    Duration grace = spec.duration("gracePeriod", Duration.ZERO, GRACE_MAX);
    return new JobLimits(
        timeLimit,
        grace == null ? defaults.gracePeriod() : grace,
        spec.whole("maxFailures", 0, FAILURES_MAX, defaults.maxFailures()),
        deadlines(defaults.deadlines()),
        maximumExecution(meta, execution));
  }

  /** As the field says, or as the label does that Kueue reads from jobs. */
  private @Nullable Duration maximumExecution(ObjectMeta meta, @Nullable Duration written) {
    Duration labelled = labelledExecution(meta, Path.ROOT.field("metadata"), spec.violations());
    if (labelled != null && written != null && !written.equals(labelled)) {
      spec.refuse("maximumExecutionTime", "must equal the label " + MAX_EXECUTION_LABEL);
    }
    return labelled == null ? written : labelled;
  }

  /** What the label says that Kueue reads from jobs; null if it says nothing that could be. */
  public static @Nullable Duration labelledExecution(
      ObjectMeta meta, Path metadata, Violations violations) {
    String label = meta.labels().get(MAX_EXECUTION_LABEL);
    if (label == null) {
      return null;
    }
    Path place = metadata.field("labels").key(MAX_EXECUTION_LABEL);
    Integer seconds = MetadataReader.whole(label);
    Duration labelled = seconds == null ? null : Duration.ofSeconds(seconds);
    if (labelled == null || labelled.isNegative() || labelled.isZero()) {
      violations.add(place, label, "must be a whole number of seconds, at least 1");
    } else if (labelled.compareTo(JobLimits.TIME_LIMIT_MAX) > 0) {
      violations.add(place, label, "must be at most " + JobLimits.TIME_LIMIT_MAX.toSeconds());
    }
    return labelled;
  }

  private AttemptDeadlines deadlines(AttemptDeadlines defaults) {
    Duration start = spec.duration("startDeadline", DEADLINE_MIN, JobLimits.TIME_LIMIT_MAX);
    Duration progress = spec.duration("progressDeadline", DEADLINE_MIN, JobLimits.TIME_LIMIT_MAX);
    StallPolicy onStall =
        spec.word("onStall", STALL_POLICIES, StallPolicy::word, defaults.onStall());
    if (spec.has("onStall") && !spec.has("progressDeadline")) {
      spec.refuse("onStall", "must not be there without progressDeadline, which says when");
    }
    return new AttemptDeadlines(start == null ? terms.startDeadline() : start, progress, onStall);
  }

  private JobArray array() {
    ObjectCursor cursor = spec.object("array", "a Job's array");
    if (cursor == null) {
      return JobArray.SINGLE;
    }
    int before = cursor.violations().count();
    IndexRanges numbers = numbers(cursor);
    if (!cursor.has("indices")) {
      cursor.require("count");
    }
    int count = cursor.whole("count", 1, ARRAY_MAX, numbers == null ? 1 : numbers.size());
    int maxParallel = cursor.whole("maxParallel", 1, ARRAY_MAX, count);
    if (maxParallel > count && cursor.violations().count() == before) {
      cursor.refuse("maxParallel", "must not be more than count");
    }
    cursor.end();
    return new JobArray(count, maxParallel, numbers);
  }

  /** The numbers of an array that has some of another's indices; null if it has its own. */
  private static @Nullable IndexRanges numbers(ObjectCursor cursor) {
    String text = cursor.text("indices", JobReader::requireRanges);
    if (text == null || cursor.has("count")) {
      if (text != null) {
        cursor.refuse("count", "must not be there beside indices, which says how many");
      }
      return null;
    }
    return IndexRanges.parse(text);
  }

  private static String requireRanges(String text) {
    IndexRanges ranges = IndexRanges.parse(text);
    if (ranges.isEmpty()) {
      throw new InvalidValueException("must name at least one index");
    }
    if (ranges.ranges().size() > RANGES_MAX) {
      throw new InvalidValueException("must have at most " + RANGES_MAX + " ranges");
    }
    if (ranges.ranges().get(ranges.ranges().size() - 1).last() >= ARRAY_MAX) {
      throw new InvalidValueException("must name indices below " + ARRAY_MAX);
    }
    return text;
  }
}
