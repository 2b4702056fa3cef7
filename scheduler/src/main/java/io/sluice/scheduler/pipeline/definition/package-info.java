// SPDX-License-Identifier: Apache-2.0
/**
 * Pipelines as users saved them, and each version of them. It reads and writes their rows; it does
 * not know what runs of them do.
 */
@NullMarked
package io.sluice.scheduler.pipeline.definition;

import org.jspecify.annotations.NullMarked;
