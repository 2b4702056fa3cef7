// SPDX-License-Identifier: Apache-2.0
/** Amounts of resources, exact, in longs. It does not know who asks for them or who has them. */
@NullMarked
package io.sluice.queuemodel.quantity;

import org.jspecify.annotations.NullMarked;
