// SPDX-License-Identifier: Apache-2.0
/** Answers that callers with equal rights share. */
@NullMarked
package io.sluice.scheduler.api.sharing;

import org.jspecify.annotations.NullMarked;
