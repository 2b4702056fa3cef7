// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

/**
 * With how many replicas of a pod set a job may run: whole slices where it has slices.
 *
 * @param replicasMin at least 1
 * @param replicasMax more than that; as many as the manifest names, which is what the job asks for
 */
public record ElasticRange(String podSet, int replicasMin, int replicasMax) {}
