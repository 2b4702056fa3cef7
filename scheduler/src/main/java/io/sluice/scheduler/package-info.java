// SPDX-License-Identifier: Apache-2.0
/** The application: where its parts are put together, and its start and end. */
@NullMarked
package io.sluice.scheduler;

import org.jspecify.annotations.NullMarked;
