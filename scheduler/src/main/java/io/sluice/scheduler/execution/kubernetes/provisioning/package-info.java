// SPDX-License-Identifier: Apache-2.0
/**
 * Calls for capacity of clusters by placeholder pods and ProvisioningRequests, and says when it is
 * there. It decides neither who is given it nor what runs on it.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.provisioning;

import org.jspecify.annotations.NullMarked;
