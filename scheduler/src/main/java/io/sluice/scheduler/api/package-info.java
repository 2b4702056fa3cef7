// SPDX-License-Identifier: Apache-2.0
/**
 * REST under {@code /v1}: requests of callers and their answers. It checks the form of a request
 * and delegates the rest; it stores nothing.
 */
@NullMarked
package io.sluice.scheduler.api;

import org.jspecify.annotations.NullMarked;
