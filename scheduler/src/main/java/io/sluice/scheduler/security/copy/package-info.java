// SPDX-License-Identifier: Apache-2.0
/**
 * Copies in memory of what the database keeps to authenticate requests: how long they are valid,
 * and how they are kept current. It does not know what they contain.
 */
@NullMarked
package io.sluice.scheduler.security.copy;

import org.jspecify.annotations.NullMarked;
