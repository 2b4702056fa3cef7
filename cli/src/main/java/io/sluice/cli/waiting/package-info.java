// SPDX-License-Identifier: Apache-2.0
/** Commands that wait: for a state of jobs, and for changes of the fleet and its queues. */
@NullMarked
package io.sluice.cli.waiting;

import org.jspecify.annotations.NullMarked;
