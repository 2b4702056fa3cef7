// SPDX-License-Identifier: Apache-2.0
/**
 * A cluster as Sluice calls it: bounded requests, watches that are renewed, and what refusals mean.
 * It knows no attempt.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.cluster;

import org.jspecify.annotations.NullMarked;
