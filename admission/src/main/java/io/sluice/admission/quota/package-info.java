// SPDX-License-Identifier: Apache-2.0
/** The quota tree: what is available, borrowed, lent, used. It does not know workloads. */
@NullMarked
package io.sluice.admission.quota;

import org.jspecify.annotations.NullMarked;
