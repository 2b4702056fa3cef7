// SPDX-License-Identifier: Apache-2.0
/** Tests of the estimates of starts. */
@NullMarked
package io.sluice.admission.estimate;

import org.jspecify.annotations.NullMarked;
