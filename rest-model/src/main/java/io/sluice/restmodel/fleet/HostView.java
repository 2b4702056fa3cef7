// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A host of the fleet: its properties, condition, slice and holder. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HostView(
    @JsonPropertyDescription("Name of the host") String name,
    @JsonPropertyDescription(
            "FAILED if the host has failed, otherwise the condition of its slice; READY without"
                + " a slice")
        String condition,
    @JsonPropertyDescription("Labels of the host") Map<String, String> labels,
    @JsonPropertyDescription("Capacity by resource, as quantities") Map<String, String> capacity,
    @JsonPropertyDescription("Its slice; absent if it is part of none") @Nullable String slice,
    @JsonPropertyDescription("Capacity type of its slice; absent without a slice")
        @Nullable String capacityType,
    @JsonPropertyDescription("The attempt that holds its slice; absent without a slice or a holder")
        @Nullable SliceHolder heldBy,
    @JsonPropertyDescription("The problem of a node of a cluster; absent if there is none")
        @Nullable String reason,
    @JsonPropertyDescription(
            "Pods on a node of a cluster that Sluice did not admit; absent if there are none")
        @Nullable OutsidePods outside) {
  public HostView {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    capacity = Collections.unmodifiableMap(new LinkedHashMap<>(capacity));
  }

  /** Pods on a node that Sluice did not admit. */
  public record OutsidePods(
      @JsonPropertyDescription("Number of pods") int count,
      @JsonPropertyDescription(
              "Names of the first five pods; those with chips come first. Empty for a caller that may"
                  + " not read all namespaces")
          List<String> pods,
      @JsonPropertyDescription("Requests of all these pods by resource, as quantities")
          Map<String, String> requests) {
    public OutsidePods {
      pods = List.copyOf(pods);
      requests = Collections.unmodifiableMap(new LinkedHashMap<>(requests));
    }
  }
}
