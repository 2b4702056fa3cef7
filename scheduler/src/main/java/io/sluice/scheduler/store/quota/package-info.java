// SPDX-License-Identifier: Apache-2.0
/** The objects of administrators as rows, with their names and versions. */
@NullMarked
package io.sluice.scheduler.store.quota;

import org.jspecify.annotations.NullMarked;
