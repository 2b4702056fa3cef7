// SPDX-License-Identifier: Apache-2.0
/**
 * The cycle: which heads enter, in what order they are served, and the room that each is given or
 * refused.
 */
@NullMarked
package io.sluice.admission.cycle;

import org.jspecify.annotations.NullMarked;
