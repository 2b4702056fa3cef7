// SPDX-License-Identifier: Apache-2.0
/** The application: wires its parts, starts them and ends them. */
@NullMarked
package io.sluice.scheduler;

import org.jspecify.annotations.NullMarked;
