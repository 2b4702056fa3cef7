// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.job;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.MachineType;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.field.Schema;
import io.sluice.manifests.field.SelectorFields;
import io.sluice.manifests.field.TopologyFields;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code kind: Job} in canonical form: arguments as part of the command, common fields
 * repeated in each pod set, pod sets derived from the accelerator omitted.
 */
public final class JobWriter {
  private static final List<MachineType> NO_MACHINES = List.of();

  private JobWriter() {}

  /**
   * The job's manifest.
   *
   * @throws IllegalArgumentException if the schema has no words for the job: its accelerator does
   *     not make its pod sets
   */
  public static ObjectNode write(JobSpec job) {
    ObjectNode top = FieldWriter.manifest(Schema.OURS, Schema.JOB, job.meta());
    ObjectNode spec = top.putObject("spec");
    FieldWriter.putText(spec, "queue", job.queueing().queue());
    FieldWriter.putText(spec, "priorityClass", job.priority().className());
    if (job.priority().preemptible() != null) {
      spec.put("preemptible", job.priority().preemptible());
    }
    if (job.hold()) {
      spec.put("hold", true);
    }
    FieldWriter.putText(spec, "computeClass", job.computeClass());
    AcceleratorRequest accelerator = job.accelerator();
    if (accelerator != null) {
      putAccelerator(spec, accelerator);
      putTemplate(spec, templateOf(job, accelerator));
    } else if (isOnlyPodSet(job.podSets())) {
      putTemplate(spec, job.podSets().get(0).template());
    } else {
      putPodSets(spec, job.podSets());
    }
    putLimits(spec, job.limits());
    JobArray indices = job.array();
    if (!indices.single() || indices.numbers() != null) {
      ObjectNode array = spec.putObject("array");
      if (indices.numbers() == null) {
        array.put("count", indices.count());
      } else {
        array.put("indices", indices.numbers().toString());
      }
      array.put("maxParallel", indices.maxParallel());
    }
    return top;
  }

  private static void putAccelerator(ObjectNode spec, AcceleratorRequest request) {
    String machineType = machineType(request.type(), request.topology(), request.hostsPerSlice());
    ObjectNode accelerator =
        spec.putObject("accelerator")
            .put("type", request.type())
            .put("topology", request.topology().toString());
    SliceRange slices = request.slices();
    if (slices.equals(SliceRange.exactly(slices.min()))) {
      accelerator.put("slices", slices.min());
    } else {
      accelerator
          .putObject("slices")
          .put("min", slices.min())
          .put("max", slices.max())
          .put("minGrowSeconds", slices.minGrow().toSeconds());
    }
    if (machineType == null) {
      accelerator.put("chipsPerHost", request.topology().chips() / request.hostsPerSlice());
    } else {
      accelerator.put("machineType", machineType);
    }
  }

  /**
   * The built-in machine of which slices of that topology have so many hosts; null if there is
   * none.
   */
  public static @Nullable String machineType(String type, SliceTopology topology, int hosts) {
    AcceleratorType accelerator = AcceleratorCatalogue.BUILT_IN.find(type);
    for (MachineType machine : accelerator == null ? NO_MACHINES : accelerator.machineTypes()) {
      if (machine.offers(topology) && machine.hosts(topology) == hosts) {
        return machine.name();
      }
    }
    return null;
  }

  /** What the spec says of the pods that the accelerator makes. */
  private static PodTemplate templateOf(JobSpec job, AcceleratorRequest request) {
    PodSetSpec workers = job.podSets().get(0);
    TreeMap<ResourceName, Long> requests = new TreeMap<>(workers.template().requests().amounts());
    Long chips = requests.remove(ResourceName.TPU);
    long chipsPerHost = request.topology().chips() / request.hostsPerSlice();
    if (job.podSets().size() != 1
        || !workers.name().equals(JobReader.SLICE_POD_SET)
        || workers.count() != request.slices().max() * request.hostsPerSlice()
        || chips == null
        || chips != chipsPerHost) {
      throw new IllegalArgumentException(
          "the pod sets of job " + job.meta().name() + " are not those of " + request);
    }
    PodTemplate template = workers.template();
    return template.withRequests(new ResourceList(requests));
  }

  private static boolean isOnlyPodSet(List<PodSetSpec> podSets) {
    return podSets.size() == 1
        && podSets.get(0).name().equals(JobReader.ONLY_POD_SET)
        && podSets.get(0).count() == 1
        && podSets.get(0).minCount() == null
        && podSets.get(0).topology() == null;
  }

  private static void putPodSets(ObjectNode spec, List<PodSetSpec> podSets) {
    ArrayNode list = spec.putArray("podSets");
    for (PodSetSpec podSet : podSets) {
      ObjectNode entry = list.addObject();
      entry.put("name", podSet.name()).put("count", podSet.count());
      if (podSet.minCount() != null) {
        entry.put("minCount", podSet.minCount());
      }
      putTemplate(entry, podSet.template());
      TopologyFields.put(entry, podSet);
    }
  }

  private static void putTemplate(ObjectNode owner, PodTemplate template) {
    FieldWriter.putResources(owner, "requests", template.requests());
    FieldWriter.putText(owner, "image", template.image());
    FieldWriter.putTexts(owner, "command", template.command());
    EnvironmentFields.put(owner, template);
    FieldWriter.putLabels(owner, "nodeSelector", template.nodeSelector());
    FieldWriter.putTolerations(owner, "tolerations", template.tolerations());
    FieldWriter.putAffinity(owner, template.affinity());
    SelectorFields.put(owner, template.affinity());
  }

  private static void putLimits(ObjectNode spec, JobLimits limits) {
    if (limits.timeLimit() != null) {
      spec.put("timeLimit", DurationNotation.format(limits.timeLimit()));
    }
    if (limits.maximumExecution() != null) {
      spec.put("maximumExecutionTime", DurationNotation.format(limits.maximumExecution()));
    }
    spec.put("gracePeriod", DurationNotation.format(limits.gracePeriod()));
    spec.put("maxFailures", limits.maxFailures());
    AttemptDeadlines deadlines = limits.deadlines();
    spec.put("startDeadline", DurationNotation.format(deadlines.start()));
    if (deadlines.progress() != null) {
      spec.put("progressDeadline", DurationNotation.format(deadlines.progress()));
      spec.put("onStall", deadlines.onStall().word());
    }
  }
}
