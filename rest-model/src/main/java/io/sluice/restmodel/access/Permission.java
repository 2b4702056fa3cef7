// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.access;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Whether a caller may do something. */
public record Permission(
    @JsonPropertyDescription("Whether the caller may do it") boolean allowed,
    @JsonPropertyDescription("Why, or why not, in one sentence") String reason) {}
