// SPDX-License-Identifier: Apache-2.0
/**
 * Decides past batches again from the stored inputs, and compares the results. It takes no
 * snapshots and changes nothing.
 */
@NullMarked
package io.sluice.scheduler.recheck;

import org.jspecify.annotations.NullMarked;
