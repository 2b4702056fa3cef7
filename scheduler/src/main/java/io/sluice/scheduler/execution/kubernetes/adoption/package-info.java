// SPDX-License-Identifier: Apache-2.0
/**
 * Adopts objects that users create: watches them, reads them as jobs, and writes their status. It
 * starts nothing.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.adoption;

import org.jspecify.annotations.NullMarked;
