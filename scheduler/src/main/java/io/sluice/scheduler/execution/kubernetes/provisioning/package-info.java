// SPDX-License-Identifier: Apache-2.0
/**
 * Requests capacity from clusters by placeholder pods and ProvisioningRequests, and reports when it
 * is there. It decides neither which job gets it nor what runs on it.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.provisioning;

import org.jspecify.annotations.NullMarked;
