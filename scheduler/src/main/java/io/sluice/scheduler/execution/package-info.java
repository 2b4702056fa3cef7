// SPDX-License-Identifier: Apache-2.0
/**
 * The interface between the decision loop and executors: starts and stops of attempts, and reports
 * about them. It does not decide what runs.
 */
@NullMarked
package io.sluice.scheduler.execution;

import org.jspecify.annotations.NullMarked;
