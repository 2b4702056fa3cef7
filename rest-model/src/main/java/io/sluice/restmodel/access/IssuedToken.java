// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.access;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** A new token. No later answer has it. */
public record IssuedToken(
    @JsonPropertyDescription("The token itself, for the header Authorization") String token,
    @JsonPropertyDescription("The stored part of it") CallerToken issued) {}
