// SPDX-License-Identifier: Apache-2.0
/**
 * What the whole vocabulary shares: names, labels and the rules they obey. It holds no behaviour of
 * queues or jobs.
 */
@NullMarked
package io.sluice.queuemodel;

import org.jspecify.annotations.NullMarked;
