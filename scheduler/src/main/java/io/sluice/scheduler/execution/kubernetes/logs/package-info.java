// SPDX-License-Identifier: Apache-2.0
/**
 * Reads and follows the logs of pods in clusters. It does not keep them: a deleted pod has no log.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.logs;

import org.jspecify.annotations.NullMarked;
