// SPDX-License-Identifier: Apache-2.0
/** The quota tree: available, borrowed, lent and used amounts. It does not know workloads. */
@NullMarked
package io.sluice.admission.quota;

import org.jspecify.annotations.NullMarked;
