// SPDX-License-Identifier: Apache-2.0
/** Queues, flavors, cohorts and compute classes as manifests. */
@NullMarked
package io.sluice.manifests.quota;

import org.jspecify.annotations.NullMarked;
