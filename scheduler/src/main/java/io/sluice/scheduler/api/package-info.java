// SPDX-License-Identifier: Apache-2.0
/**
 * REST under {@code /v1}: what callers may ask and how they are answered. It checks form and hands
 * on; it keeps nothing.
 */
@NullMarked
package io.sluice.scheduler.api;

import org.jspecify.annotations.NullMarked;
