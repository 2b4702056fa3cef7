// SPDX-License-Identifier: Apache-2.0
/** The stored state of jobs and attempts, as immutable values without any index. */
@NullMarked
package io.sluice.admission.state.record;

import org.jspecify.annotations.NullMarked;
