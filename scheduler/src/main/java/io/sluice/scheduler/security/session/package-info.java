// SPDX-License-Identifier: Apache-2.0
/**
 * Sessions of browsers, which the database keeps: their beginning and end, and the copy in memory
 * that requests are checked against. It does not authenticate requests.
 */
@NullMarked
package io.sluice.scheduler.security.session;

import org.jspecify.annotations.NullMarked;
