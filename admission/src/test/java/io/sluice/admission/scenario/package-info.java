// SPDX-License-Identifier: Apache-2.0
/**
 * Decisions as prose: text that sets up a world, runs rounds and says what must come of them. It
 * decides nothing itself.
 */
@NullMarked
package io.sluice.admission.scenario;

import org.jspecify.annotations.NullMarked;
