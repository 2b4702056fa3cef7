// SPDX-License-Identifier: Apache-2.0
/**
 * The journal: batches of events with all rows that one commit writes, snapshots, and the loading
 * of a state from both. It decides nothing.
 */
@NullMarked
package io.sluice.scheduler.store.journal;

import org.jspecify.annotations.NullMarked;
