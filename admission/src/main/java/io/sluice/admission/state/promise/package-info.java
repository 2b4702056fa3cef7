// SPDX-License-Identifier: Apache-2.0
/** Planned starts that have not come, in the orders in which they are asked for. */
@NullMarked
package io.sluice.admission.state.promise;

import org.jspecify.annotations.NullMarked;
