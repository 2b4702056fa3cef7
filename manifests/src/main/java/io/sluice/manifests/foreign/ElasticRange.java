// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

/**
 * The range of replicas of a pod set; for a pod set with slices, the range of slices.
 *
 * @param replicasMin at least 1
 * @param replicasMax more than that; as many as the manifest names, which is what the job asks for
 */
public record ElasticRange(String podSet, int replicasMin, int replicasMax) {}
