// SPDX-License-Identifier: Apache-2.0
/** What is kept of the first jobs of ClusterQueues, so that a cycle need not ask each queue. */
@NullMarked
package io.sluice.admission.state.heads;

import org.jspecify.annotations.NullMarked;
