// SPDX-License-Identifier: Apache-2.0
/**
 * What the decision loop asks of those who run attempts, and what they say. It does not decide what
 * runs.
 */
@NullMarked
package io.sluice.scheduler.execution;

import org.jspecify.annotations.NullMarked;
