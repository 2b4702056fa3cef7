// SPDX-License-Identifier: Apache-2.0
/**
 * The user's sign-in at an identity provider: the device flow, and the tokens that are kept in the
 * user's folder and refreshed. It does not know commands.
 */
@NullMarked
package io.sluice.cli.identity;

import org.jspecify.annotations.NullMarked;
