// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.quota;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pending jobs of a queue, in the format of Kueue's visibility API. */
public record PendingWorkloadsSummary(
    @JsonPropertyDescription("PendingWorkloadsSummary") String kind,
    @JsonPropertyDescription("Version of the format, as in the path") String apiVersion,
    @JsonPropertyDescription("Empty, as in Kueue") Map<String, Object> metadata,
    @JsonPropertyDescription("The pending jobs, the head first") List<PendingWorkload> items) {
  public PendingWorkloadsSummary {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    items = List.copyOf(items);
  }

  /** A pending job with its places. */
  public record PendingWorkload(
      @JsonPropertyDescription("Names of the job") WorkloadMetadata metadata,
      @JsonPropertyDescription("Priority of the job") int priority,
      @JsonPropertyDescription("The LocalQueue of the job") String localQueueName,
      @JsonPropertyDescription("Number of jobs before it in the ClusterQueue")
          int positionInClusterQueue,
      @JsonPropertyDescription("Number of jobs of its LocalQueue before it in the ClusterQueue")
          int positionInLocalQueue) {}

  /** Names of a pending job. */
  public record WorkloadMetadata(
      @JsonPropertyDescription("Name of the job") String name,
      @JsonPropertyDescription("Namespace of the job") String namespace,
      @JsonPropertyDescription("Id of the job") String uid,
      @JsonPropertyDescription("When the job was submitted") Instant creationTimestamp) {}
}
