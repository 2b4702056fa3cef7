// SPDX-License-Identifier: Apache-2.0
/**
 * Takes jobs and quota objects from outside: checks them against what there is and makes them
 * durable. It admits nothing.
 */
@NullMarked
package io.sluice.scheduler.submission;

import org.jspecify.annotations.NullMarked;
