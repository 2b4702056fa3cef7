// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** How users sign in, beside tokens of Sluice. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SignInProvider(
    @JsonPropertyDescription(
            "Issuer of the identity provider (OpenID Connect); absent: there is none")
        @Nullable String issuer,
    @JsonPropertyDescription("Client that Sluice is at the identity provider")
        @Nullable String clientId) {}
