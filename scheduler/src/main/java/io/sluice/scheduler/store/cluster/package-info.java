// SPDX-License-Identifier: Apache-2.0
/** The rows of objects in clusters and of capacity at providers. */
@NullMarked
package io.sluice.scheduler.store.cluster;

import org.jspecify.annotations.NullMarked;
