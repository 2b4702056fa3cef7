// SPDX-License-Identifier: Apache-2.0
/**
 * Names and labels, used by all other packages of this module. It holds no behaviour of queues or
 * jobs.
 */
@NullMarked
package io.sluice.queuemodel;

import org.jspecify.annotations.NullMarked;
