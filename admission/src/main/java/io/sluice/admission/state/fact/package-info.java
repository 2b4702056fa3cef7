// SPDX-License-Identifier: Apache-2.0
/**
 * The facts of the engine's state: quota objects, queues, jobs, attempts and claims. They change
 * only when the state applies an event, and do not depend on the indexes derived from them.
 */
@NullMarked
package io.sluice.admission.state.fact;

import org.jspecify.annotations.NullMarked;
