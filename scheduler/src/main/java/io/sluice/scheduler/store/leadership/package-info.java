// SPDX-License-Identifier: Apache-2.0
/**
 * Leader election by a row of the database that every write of a leader checks. It elects nobody
 * outside PostgreSQL.
 */
@NullMarked
package io.sluice.scheduler.store.leadership;

import org.jspecify.annotations.NullMarked;
