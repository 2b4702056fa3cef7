// SPDX-License-Identifier: Apache-2.0
/** Hosts and the slices made of them. It does not know who holds a slice. */
@NullMarked
package io.sluice.queuemodel.fleet;

import org.jspecify.annotations.NullMarked;
