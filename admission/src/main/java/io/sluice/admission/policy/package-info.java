// SPDX-License-Identifier: Apache-2.0
/** The policies of the engine, as immutable values. They decide nothing. */
@NullMarked
package io.sluice.admission.policy;

import org.jspecify.annotations.NullMarked;
