// SPDX-License-Identifier: Apache-2.0
/** Tests on the application's beans; all share one application. */
@NullMarked
package io.sluice.scheduler.application;

import org.jspecify.annotations.NullMarked;
