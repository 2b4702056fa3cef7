// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request to create a token. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TokenRequest(
    @JsonPropertyDescription(
            "Name of the caller: at most 100 letters, digits and @._-, beginning with a letter or"
                + " digit")
        String name,
    @JsonPropertyDescription("Role of the caller: admin, submitter or viewer") String role,
    @JsonPropertyDescription(
            "Namespaces of the caller, at most 100; * stands for all. A submitter needs one; absent:"
                + " none")
        @Nullable List<String> namespaces,
    @JsonPropertyDescription(
            "Time from which the token is refused, at most 3660 days ahead; absent: it does not"
                + " expire")
        @Nullable Instant expiresAt) {
  public TokenRequest {
    namespaces = namespaces == null ? null : List.copyOf(namespaces);
  }
}
