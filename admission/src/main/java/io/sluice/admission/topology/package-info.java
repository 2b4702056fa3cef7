// SPDX-License-Identifier: Apache-2.0
/**
 * Slices of the fleet, the slices formed from them, and those that serve a request. It does not
 * know quota.
 */
@NullMarked
package io.sluice.admission.topology;

import org.jspecify.annotations.NullMarked;
