// SPDX-License-Identifier: Apache-2.0
/** What is known of objects in clusters and of capacity at providers, as rows. */
@NullMarked
package io.sluice.scheduler.store.cluster;

import org.jspecify.annotations.NullMarked;
