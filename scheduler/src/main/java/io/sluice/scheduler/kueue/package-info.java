// SPDX-License-Identifier: Apache-2.0
/**
 * Imports the quota objects of a cluster's Kueue, and exports them. It does not talk to clusters,
 * and creates no jobs for their objects.
 */
@NullMarked
package io.sluice.scheduler.kueue;

import org.jspecify.annotations.NullMarked;
