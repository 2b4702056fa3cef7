// SPDX-License-Identifier: Apache-2.0
/**
 * The files in the local executor's directory: records of attempts, logs, working directories, and
 * files that programs write.
 */
@NullMarked
package io.sluice.scheduler.execution.local.files;

import org.jspecify.annotations.NullMarked;
