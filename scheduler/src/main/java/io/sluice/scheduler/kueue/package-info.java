// SPDX-License-Identifier: Apache-2.0
/**
 * Takes the set-up of a cluster's Kueue in, and gives it back. It does not speak to clusters, and
 * makes no jobs of their objects.
 */
@NullMarked
package io.sluice.scheduler.kueue;

import org.jspecify.annotations.NullMarked;
