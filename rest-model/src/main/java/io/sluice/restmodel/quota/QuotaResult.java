// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.quota;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The result of a request for one quota object. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QuotaResult(
    @JsonPropertyDescription("Kind of the object") String kind,
    @JsonPropertyDescription("Namespace of the object; absent if its kind has none")
        @Nullable String namespace,
    @JsonPropertyDescription("Name of the object") String name,
    @JsonPropertyDescription(
            "created, configured, unchanged or deleted; in the dry run of an import that cannot"
                + " be written: in order or refused")
        String result,
    @JsonPropertyDescription("Why the object is refused; absent otherwise")
        @Nullable String reason) {}
