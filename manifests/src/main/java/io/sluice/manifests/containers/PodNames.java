// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.containers;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.manifests.foreign.PodSetPlace;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name, indices, labels and fields that a pod would have in a cluster. Pods of Indexed Jobs are
 * named {@code JOB-INDEX}, those of JobSets {@code JOBSET-REPLICATEDJOB-JOBINDEX-INDEX}.
 */
final class PodNames {
  private static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
  private static final String JOB_SET = "jobset.sigs.k8s.io/";
  private static final Pattern KEYED =
      Pattern.compile("metadata\\.(labels|annotations)\\['(.+)'\\]");

  private final ForeignJob job;
  private final PodTemplates templates;
  private final PodSetPlace place;
  private final JsonNode template;
  private final String podSet;
  private final int ordinal;

  /** The names of a pod of a job, by its ordinal in its pod set. */
  PodNames(ForeignJob job, PodTemplates templates, String podSet, int ordinal) {
    this.job = job;
    this.templates = templates;
    this.place = templates.place(podSet, ordinal);
    this.template = templates.template(place);
    this.podSet = podSet;
    this.ordinal = ordinal;
  }

  private boolean ofJobSet() {
    return job.kind() == ForeignKind.JOB_SET;
  }

  private String jobName() {
    return job.spec().meta().name();
  }

  private int index() {
    return ofJobSet() ? ordinal % place.podsPerReplica() : ordinal;
  }

  private int jobIndex() {
    return ofJobSet() ? ordinal / place.podsPerReplica() : 0;
  }

  /** The name of the pod, without what a controller adds at random. */
  String name() {
    if (ofJobSet()) {
      return "%s-%s-%d-%d".formatted(jobName(), podSet, jobIndex(), index());
    }
    return job.kind() == ForeignKind.POD
        ? template.at("/metadata/name").asText(jobName())
        : jobName() + "-" + index();
  }

  /** The name by which other pods of the job can reach it; null: there is none. */
  @Nullable String domainName() {
    JsonNode spec = template.path("spec");
    if (ofJobSet()) {
      JsonNode network = templates.document(place).at("/spec/network");
      return name() + "." + network.path("subdomain").asText(jobName());
    }
    String subdomain = spec.path("subdomain").asText();
    return subdomain.isEmpty() ? null : hostName() + "." + subdomain;
  }

  private String hostName() {
    return template.at("/spec/hostname").asText(name());
  }

  /** Variables that a container has without naming them. */
  Map<String, String> variables() {
    return job.kind() == ForeignKind.POD
        ? Map.of("HOSTNAME", hostName())
        : Map.of("HOSTNAME", name(), "JOB_COMPLETION_INDEX", Integer.toString(index()));
  }

  /** Whether a process has the field of a pod. */
  static boolean has(String field) {
    return switch (field) {
      case "metadata.name",
          "metadata.namespace",
          "spec.nodeName",
          "status.hostIP",
          "status.podIP" ->
          true;
      default -> KEYED.matcher(field).matches();
    };
  }

  /**
   * The value of a field of the pod; empty if it has no such label or annotation.
   *
   * @param address of the pod's host
   */
  String field(String field, String address) {
    return switch (field) {
      case "metadata.name" -> name();
      case "metadata.namespace" -> job.spec().meta().namespace();
      case "spec.nodeName", "status.hostIP", "status.podIP" -> address;
      default -> label(field);
    };
  }

  private String label(String field) {
    Matcher keyed = KEYED.matcher(field);
    if (!keyed.matches()) {
      return "";
    }
    String key = keyed.group(2);
    JsonNode written = template.path("metadata").path(keyed.group(1)).path(key);
    return written.isTextual() ? written.asText() : added().getOrDefault(key, "");
  }

  /** Labels and annotations that controllers add to pods. */
  private Map<String, String> added() {
    TreeMap<String, String> added = new TreeMap<>();
    if (job.kind() == ForeignKind.POD) {
      return added;
    }
    String owner = ofJobSet() ? "%s-%s-%d".formatted(jobName(), podSet, jobIndex()) : jobName();
    added.put(COMPLETION_INDEX, Integer.toString(index()));
    added.put("batch.kubernetes.io/job-name", owner);
    added.put("job-name", owner);
    if (ofJobSet()) {
      int pods =
          job.spec().podSets().stream()
              .filter(one -> one.name().equals(podSet))
              .mapToInt(one -> one.count())
              .sum();
      added.put(JOB_SET + "jobset-name", jobName());
      added.put(JOB_SET + "replicatedjob-name", podSet);
      added.put(JOB_SET + "job-index", Integer.toString(jobIndex()));
      added.put(
          JOB_SET + "replicatedjob-replicas", Integer.toString(pods / place.podsPerReplica()));
    }
    return added;
  }
}
