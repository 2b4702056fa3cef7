// SPDX-License-Identifier: Apache-2.0
/** The rows of quota objects, with their names and generations. */
@NullMarked
package io.sluice.scheduler.store.quota;

import org.jspecify.annotations.NullMarked;
