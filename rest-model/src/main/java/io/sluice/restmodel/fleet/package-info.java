// SPDX-License-Identifier: Apache-2.0
/** Hosts, slices and capacity in answers. */
@NullMarked
package io.sluice.restmodel.fleet;

import org.jspecify.annotations.NullMarked;
