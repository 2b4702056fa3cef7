// SPDX-License-Identifier: Apache-2.0
/** Metrics of chips, asked of a server on loopback. No cluster takes part. */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.accelerators;

import org.jspecify.annotations.NullMarked;
