// SPDX-License-Identifier: Apache-2.0
/** Who is tried in what order. It does not know who fits. */
@NullMarked
package io.sluice.admission.ordering;

import org.jspecify.annotations.NullMarked;
