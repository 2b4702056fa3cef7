// SPDX-License-Identifier: Apache-2.0
/**
 * Runs attempts as objects of Kubernetes clusters: creates, releases, watches and deletes them. It
 * makes no scheduling decision and releases nothing that is not committed.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes;

import org.jspecify.annotations.NullMarked;
