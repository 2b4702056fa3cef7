// SPDX-License-Identifier: Apache-2.0
/** Indexes of a ClusterQueue's pending jobs, in the order in which they are tried. */
@NullMarked
package io.sluice.admission.state.pending;

import org.jspecify.annotations.NullMarked;
