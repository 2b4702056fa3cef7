// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.quota;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The quota objects as manifests for Kueue, and the jobs that have not ended. */
public record KueueExported(
    @JsonPropertyDescription("Manifests for Kueue, each after those that it names")
        List<Map<String, Object>> objects,
    @JsonPropertyDescription("Objects of kinds that Kueue does not have") List<ObjectName> ours,
    @JsonPropertyDescription("The jobs that have not ended") ExportedJobs jobs) {
  public KueueExported {
    objects = List.copyOf(objects);
    ours = List.copyOf(ours);
  }

  /** The name of a quota object. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ObjectName(
      @JsonPropertyDescription("Kind of the object") String kind,
      @JsonPropertyDescription("Namespace of the object; absent if its kind has none")
          @Nullable String namespace,
      @JsonPropertyDescription("Name of the object") String name) {}

  /** The jobs that have not ended, by the way in which Kueue gets them. */
  public record ExportedJobs(
      @JsonPropertyDescription("false: there are more jobs than listed") boolean complete,
      @JsonPropertyDescription("Jobs that are objects of a cluster") List<ExportedJob> adopted,
      @JsonPropertyDescription("Jobs with manifests for Kueue") List<ExportedJob> written,
      @JsonPropertyDescription("Jobs that Kueue cannot get") List<ExportedJob> left) {
    public ExportedJobs {
      adopted = List.copyOf(adopted);
      written = List.copyOf(written);
      left = List.copyOf(left);
    }
  }

  /** A job that has not ended. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ExportedJob(
      @JsonPropertyDescription("Id of the job") String id,
      @JsonPropertyDescription("Job") String kind,
      @JsonPropertyDescription("Namespace of the job") String namespace,
      @JsonPropertyDescription("Name of the job") String name,
      @JsonPropertyDescription("State of the job") String state,
      @JsonPropertyDescription("The cluster of its object; present of adopted jobs")
          @Nullable String cluster,
      @JsonPropertyDescription("Its manifests for Kueue; present of written jobs")
          @Nullable List<Map<String, Object>> documents,
      @JsonPropertyDescription("Why Kueue cannot get it; present of jobs that are left")
          @Nullable String reason) {
    public ExportedJob {
      documents = documents == null ? null : List.copyOf(documents);
    }
  }
}
