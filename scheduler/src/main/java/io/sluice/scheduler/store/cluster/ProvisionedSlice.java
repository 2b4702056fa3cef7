// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

/**
 * A slice of a cluster that a ProvisioningRequest obtained.
 *
 * @param namespace of the ProvisioningRequest
 * @param request the name of the ProvisioningRequest
 * @param className of its provisioning class
 */
public record ProvisionedSlice(String slice, String namespace, String request, String className) {}
