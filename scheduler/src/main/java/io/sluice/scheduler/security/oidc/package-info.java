// SPDX-License-Identifier: Apache-2.0
/**
 * The identity provider (OpenID Connect): its keys, the verification of its tokens, and the sign-in
 * of browsers. It does not know sessions.
 */
@NullMarked
package io.sluice.scheduler.security.oidc;

import org.jspecify.annotations.NullMarked;
