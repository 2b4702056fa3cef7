// SPDX-License-Identifier: Apache-2.0
/** Events of the journal as clients watch them. */
@NullMarked
package io.sluice.restmodel.event;

import org.jspecify.annotations.NullMarked;
