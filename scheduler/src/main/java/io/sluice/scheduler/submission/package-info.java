// SPDX-License-Identifier: Apache-2.0
/**
 * Accepts jobs and quota objects from callers: checks them and stores them durably. It admits
 * nothing.
 */
@NullMarked
package io.sluice.scheduler.submission;

import org.jspecify.annotations.NullMarked;
