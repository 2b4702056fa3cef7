// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

/**
 * How objects are made for a cluster.
 *
 * @param expandsPathwaysJobs whether a PathwaysJob is given to the cluster as the JobSet that it
 *     stands for. As itself it needs its controller there, cannot be created suspended, and its
 *     pods carry no labels of the attempt
 */
public record RenderingSettings(boolean expandsPathwaysJobs) {
  public static final RenderingSettings DEFAULT = new RenderingSettings(true);
}
