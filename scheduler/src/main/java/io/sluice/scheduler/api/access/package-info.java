// SPDX-License-Identifier: Apache-2.0
/** Issued tokens of callers over REST. */
@NullMarked
package io.sluice.scheduler.api.access;

import org.jspecify.annotations.NullMarked;
