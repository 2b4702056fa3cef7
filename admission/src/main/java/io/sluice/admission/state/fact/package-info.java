// SPDX-License-Identifier: Apache-2.0
/**
 * The facts of the engine's memory: quota objects, queues, jobs, attempts and claims. They change
 * only when the state applies an event, and know no index that is made of them.
 */
@NullMarked
package io.sluice.admission.state.fact;

import org.jspecify.annotations.NullMarked;
