// SPDX-License-Identifier: Apache-2.0
/**
 * Isolation of pods from each other and from the server: accounts of namespaces, limits, and the
 * command that applies them. It starts no pod.
 */
@NullMarked
package io.sluice.scheduler.execution.local.isolation;

import org.jspecify.annotations.NullMarked;
