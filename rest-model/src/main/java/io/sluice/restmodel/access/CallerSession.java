// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A session of a browser, without its secret. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CallerSession(
    @JsonPropertyDescription("Id of the session") String id,
    @JsonPropertyDescription("Name of the caller") String caller,
    @JsonPropertyDescription("How the caller signed in: token or identity-provider")
        String signedInBy,
    @JsonPropertyDescription("Whether it is the session of this request") boolean current,
    @JsonPropertyDescription("Time of the sign-in") Instant createdAt,
    @JsonPropertyDescription(
            "Time from which it is refused; a session of a token ends with the token before")
        Instant expiresAt,
    @JsonPropertyDescription("Time of a use, exact to ten minutes; absent: it was never used")
        @Nullable Instant lastUsedAt) {}
