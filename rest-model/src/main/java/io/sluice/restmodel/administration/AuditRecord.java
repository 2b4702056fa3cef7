// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change, and the caller who made it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuditRecord(
    @JsonPropertyDescription("Time of the change") Instant at,
    @JsonPropertyDescription("Name of the caller") String caller,
    @JsonPropertyDescription("Role of the caller at that time") String role,
    @JsonPropertyDescription("Kind of the change, such as create or cancel") String action,
    @JsonPropertyDescription("Kind of the changed object") String kind,
    @JsonPropertyDescription("Namespace of the object; absent if its kind has none")
        @Nullable String namespace,
    @JsonPropertyDescription("Name of the object") String name,
    @JsonPropertyDescription("Id of the job; absent if the change concerns none")
        @Nullable String job,
    @JsonPropertyDescription("Further facts, by the kind of the change; absent if there are none")
        @Nullable Map<String, Object> detail) {
  public AuditRecord {
    detail = detail == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(detail));
  }
}
