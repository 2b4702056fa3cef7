// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An object that a name identifies. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NamedObject(
    @JsonPropertyDescription("Kind of the object") String kind,
    @JsonPropertyDescription("Namespace of the object") String namespace,
    @JsonPropertyDescription("Name of the object") String name,
    @JsonPropertyDescription("Id of the object; absent if its kind has no ids") @Nullable String id,
    @JsonPropertyDescription("State of the object; absent if its kind has no states")
        @Nullable String state,
    @JsonPropertyDescription("When the object was created") Instant createdAt,
    @JsonPropertyDescription(
            "Number of other live jobs of this name in the namespace, counted up to a limit;"
                + " absent if there are none, for a change, and for other kinds")
        @Nullable Long otherLiveJobs) {}
