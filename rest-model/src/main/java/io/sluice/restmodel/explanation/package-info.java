// SPDX-License-Identifier: Apache-2.0
/** Why jobs do not run, and what accelerators do. */
@NullMarked
package io.sluice.restmodel.explanation;

import org.jspecify.annotations.NullMarked;
