// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

/**
 * With how many replicas of a pod set a job may run: whole slices where it has slices. What the job
 * asks for lies between.
 *
 * @param replicasMin at least 1
 * @param replicasMax at least as many
 */
public record ElasticRange(String podSet, int replicasMin, int replicasMax) {}
