// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A token that the servers keep, without the token itself. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CallerToken(
    @JsonPropertyDescription("Name of the caller") String name,
    @JsonPropertyDescription("Role of the caller") String role,
    @JsonPropertyDescription("Namespaces of the caller; * stands for all") List<String> namespaces,
    @JsonPropertyDescription(
            "valid; expired; or shadowed: the tokens file of the answering server has a caller of"
                + " this name, so that server refuses the token")
        String state,
    @JsonPropertyDescription("Time of the creation") Instant createdAt,
    @JsonPropertyDescription("Name of the caller who created it") String createdBy,
    @JsonPropertyDescription("Time of the last rotation; absent: it was never rotated")
        @Nullable Instant rotatedAt,
    @JsonPropertyDescription(
            "Time until which the token before the last rotation is valid; absent: it is not")
        @Nullable Instant formerValidUntil,
    @JsonPropertyDescription("Time from which it is refused; absent: it does not expire")
        @Nullable Instant expiresAt,
    @JsonPropertyDescription("Time of a use, exact to an hour; absent: it was never used")
        @Nullable Instant lastUsedAt) {
  public CallerToken {
    namespaces = List.copyOf(namespaces);
  }
}
