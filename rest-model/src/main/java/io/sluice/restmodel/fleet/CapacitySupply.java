// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** How slices of a capacity type become available. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CapacitySupply(
    @JsonPropertyDescription("The capacity type, as in a fleet's manifest") String capacityType,
    @JsonPropertyDescription("Whether the slices are available without a request to the provider")
        boolean provisioned,
    @JsonPropertyDescription("Time that the provider takes to grant a slice, a duration; or never")
        String grantAfter,
    @JsonPropertyDescription("Whether the provider refuses each request") boolean outOfStock) {}
