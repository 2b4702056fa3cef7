// SPDX-License-Identifier: Apache-2.0
/**
 * Tokens that servers issue and keep in the database: their changes, and the copy in memory that
 * requests are checked against. It does not authenticate requests.
 */
@NullMarked
package io.sluice.scheduler.security.token;

import org.jspecify.annotations.NullMarked;
