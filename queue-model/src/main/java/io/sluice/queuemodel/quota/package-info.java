// SPDX-License-Identifier: Apache-2.0
/**
 * The objects that administrators write: flavors, queues, cohorts, priority classes, in Kueue's
 * words. It computes no usage.
 */
@NullMarked
package io.sluice.queuemodel.quota;

import org.jspecify.annotations.NullMarked;
