// SPDX-License-Identifier: Apache-2.0
/** Tests on the application's beans: one application for all of them. */
@NullMarked
package io.sluice.scheduler.application;

import org.jspecify.annotations.NullMarked;
