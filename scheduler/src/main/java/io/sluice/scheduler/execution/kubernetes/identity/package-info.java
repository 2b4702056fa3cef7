// SPDX-License-Identifier: Apache-2.0
/** Callers who prove their identity by a token of the default cluster. */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.identity;

import org.jspecify.annotations.NullMarked;
