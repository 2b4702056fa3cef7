// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job: its manifest in canonical form, its id and its status. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobView(
    @JsonPropertyDescription("Version of the manifest's schema") String apiVersion,
    @JsonPropertyDescription("Job") String kind,
    @JsonPropertyDescription("Name, namespace, labels and annotations") JobMetadata metadata,
    @JsonPropertyDescription(
            "The spec as in a manifest; of a job of Kubernetes only its queue and priority class")
        Map<String, Object> spec,
    @JsonPropertyDescription(
            "The objects of a job of Kubernetes, as submitted; absent for a job of Sluice's schema")
        @Nullable List<Map<String, Object>> documents,
    @JsonPropertyDescription("Id of the job") String id,
    @JsonPropertyDescription("What has become of the job so far") JobStatus status) {
  public JobView {
    spec = Collections.unmodifiableMap(new LinkedHashMap<>(spec));
    documents = documents == null ? null : List.copyOf(documents);
  }

  /** The name of a job, and what its submitter attached to it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record JobMetadata(
      @JsonPropertyDescription("Name of the job") String name,
      @JsonPropertyDescription("Namespace of the job") String namespace,
      @JsonPropertyDescription("Labels; absent if there are none")
          @Nullable Map<String, String> labels,
      @JsonPropertyDescription("Annotations; absent if there are none")
          @Nullable Map<String, String> annotations) {
    public JobMetadata {
      labels = labels == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(labels));
      annotations =
          annotations == null
              ? null
              : Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    }
  }

  /** The same job with another status. */
  public JobView withStatus(JobStatus other) {
    return new JobView(apiVersion, kind, metadata, spec, documents, id, other);
  }
}
