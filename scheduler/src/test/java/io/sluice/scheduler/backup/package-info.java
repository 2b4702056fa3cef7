// SPDX-License-Identifier: Apache-2.0
/** Tests of backups on real databases. They start no server. */
@NullMarked
package io.sluice.scheduler.backup;

import org.jspecify.annotations.NullMarked;
