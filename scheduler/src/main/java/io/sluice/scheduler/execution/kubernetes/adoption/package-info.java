// SPDX-License-Identifier: Apache-2.0
/**
 * Objects that users create and Sluice adopts: how they are seen, read and told their state. It
 * starts nothing.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.adoption;

import org.jspecify.annotations.NullMarked;
