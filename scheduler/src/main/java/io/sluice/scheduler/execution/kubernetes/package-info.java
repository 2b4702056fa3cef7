// SPDX-License-Identifier: Apache-2.0
/**
 * Runs attempts as objects of Kubernetes clusters: creates, releases, watches and deletes them. It
 * decides nothing, and runs nothing that is not committed.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes;

import org.jspecify.annotations.NullMarked;
