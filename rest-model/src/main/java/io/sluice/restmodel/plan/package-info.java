// SPDX-License-Identifier: Apache-2.0
/** The bodies about the plan: which jobs use what, and when. They convert nothing. */
@NullMarked
package io.sluice.restmodel.plan;

import org.jspecify.annotations.NullMarked;
