// SPDX-License-Identifier: Apache-2.0
/**
 * The policies of a queue, in Kueue's words: preemption, order, fungibility of flavors, fair
 * weights. It computes no usage.
 */
@NullMarked
package io.sluice.queuemodel.quota.policy;

import org.jspecify.annotations.NullMarked;
