// SPDX-License-Identifier: Apache-2.0
/**
 * The plan over REST: attempts that run, and planned starts. It reads the committed view and plans
 * nothing.
 */
@NullMarked
package io.sluice.scheduler.api.plan;

import org.jspecify.annotations.NullMarked;
