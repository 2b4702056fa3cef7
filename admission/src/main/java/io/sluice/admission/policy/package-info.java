// SPDX-License-Identifier: Apache-2.0
/** By which rules the engine decides, as values that are chosen once. It decides nothing. */
@NullMarked
package io.sluice.admission.policy;

import org.jspecify.annotations.NullMarked;
