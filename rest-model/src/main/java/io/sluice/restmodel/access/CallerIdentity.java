// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The caller of a request, as the server knows it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CallerIdentity(
    @JsonPropertyDescription("Name of the caller") String name,
    @JsonPropertyDescription("Groups of the caller, as the identity provider told")
        List<String> groups,
    @JsonPropertyDescription(
            "Roles of the caller; a caller without any reads quota and the fleet only")
        List<HeldRole> roles,
    @JsonPropertyDescription("How the caller signed in: token or identity-provider")
        String signedInBy,
    @JsonPropertyDescription("Id of the session; absent: the request has a token")
        @Nullable String session,
    @JsonPropertyDescription(
            "Time from which the token or the session is refused; absent: it does not expire")
        @Nullable Instant expiresAt) {
  public CallerIdentity {
    groups = List.copyOf(groups);
    roles = List.copyOf(roles);
  }

  /** A role of a caller. */
  public record HeldRole(
      @JsonPropertyDescription("Name of the role") String role,
      @JsonPropertyDescription("Namespaces of the role; * stands for all")
          List<String> namespaces) {
    public HeldRole {
      namespaces = List.copyOf(namespaces);
    }
  }
}
