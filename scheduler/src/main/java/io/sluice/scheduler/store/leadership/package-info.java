// SPDX-License-Identifier: Apache-2.0
/**
 * Which server leads, by a row that every write of a leader checks. It elects nobody outside
 * PostgreSQL.
 */
@NullMarked
package io.sluice.scheduler.store.leadership;

import org.jspecify.annotations.NullMarked;
