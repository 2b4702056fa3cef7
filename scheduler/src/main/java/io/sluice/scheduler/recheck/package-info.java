// SPDX-License-Identifier: Apache-2.0
/**
 * Past decisions are decided again from what is stored, and compared. It takes no snapshots and
 * changes nothing.
 */
@NullMarked
package io.sluice.scheduler.recheck;

import org.jspecify.annotations.NullMarked;
