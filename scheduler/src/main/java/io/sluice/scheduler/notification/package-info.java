// SPDX-License-Identifier: Apache-2.0
/** How parts of all servers learn of committed changes at once, instead of at their next poll. */
@NullMarked
package io.sluice.scheduler.notification;

import org.jspecify.annotations.NullMarked;
