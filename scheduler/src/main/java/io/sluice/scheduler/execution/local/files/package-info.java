// SPDX-License-Identifier: Apache-2.0
/**
 * What an executor keeps in its directory: records of attempts, logs, files that programs write.
 */
@NullMarked
package io.sluice.scheduler.execution.local.files;

import org.jspecify.annotations.NullMarked;
