// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A host that an administrator can make fail and return. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VirtualHost(
    @JsonPropertyDescription("Name of the host") String name,
    @JsonPropertyDescription("Its slice; absent if it is part of none") @Nullable String slice,
    @JsonPropertyDescription("Whether the host has failed and has not returned") boolean failed) {}
