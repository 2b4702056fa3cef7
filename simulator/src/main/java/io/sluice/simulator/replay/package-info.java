// SPDX-License-Identifier: Apache-2.0
/**
 * Replays a trace of jobs in virtual time: feeds its arrivals and ends to the engine, and measures
 * how long the jobs waited. It decides nothing itself.
 */
@NullMarked
package io.sluice.simulator.replay;

import org.jspecify.annotations.NullMarked;
