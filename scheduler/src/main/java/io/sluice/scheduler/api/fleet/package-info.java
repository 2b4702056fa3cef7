// SPDX-License-Identifier: Apache-2.0
/** Hosts, slices and capacity over REST. */
@NullMarked
package io.sluice.scheduler.api.fleet;

import org.jspecify.annotations.NullMarked;
