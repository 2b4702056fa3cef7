// SPDX-License-Identifier: Apache-2.0
/** The pending jobs of a ClusterQueue in the order in which they are tried: an index of jobs. */
@NullMarked
package io.sluice.admission.state.pending;

import org.jspecify.annotations.NullMarked;
