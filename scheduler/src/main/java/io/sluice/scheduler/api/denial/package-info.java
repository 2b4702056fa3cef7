// SPDX-License-Identifier: Apache-2.0
/** Counts requests that callers have no right to make. It decides about none of them. */
@NullMarked
package io.sluice.scheduler.api.denial;

import org.jspecify.annotations.NullMarked;
