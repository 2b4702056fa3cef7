// SPDX-License-Identifier: Apache-2.0
/**
 * Gives the events of durable batches to the clients that watch them, on any server, from any place
 * of the journal. It knows neither HTTP nor the form in which clients read events.
 */
@NullMarked
package io.sluice.scheduler.watch;

import org.jspecify.annotations.NullMarked;
