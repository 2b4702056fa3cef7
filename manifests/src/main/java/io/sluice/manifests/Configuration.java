// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.job.StartPolicy;
import io.sluice.queuemodel.quantity.ResourceTransformations;

/**
 * The settings of a configuration file, for a whole server.
 *
 * @param starts what is done about attempts that have not started
 * @param resources what requests count as
 * @param catalogue the accelerators there are
 * @param expandsPathwaysJobs whether PathwaysJobs that are submitted are taken, as the JobSets that
 *     they stand for
 */
public record Configuration(
    StartPolicy starts,
    ResourceTransformations resources,
    AcceleratorCatalogue catalogue,
    boolean expandsPathwaysJobs) {
  /** Of a server that is told nothing. */
  public static final Configuration DEFAULT =
      new Configuration(
          StartPolicy.DEFAULT, ResourceTransformations.NONE, AcceleratorCatalogue.BUILT_IN, true);

  /** The same with another catalogue. */
  Configuration with(AcceleratorCatalogue other) {
    return new Configuration(starts, resources, other, expandsPathwaysJobs);
  }

  /** The same where PathwaysJobs are left to a controller of their own. */
  public Configuration withoutPathwaysJobs() {
    return new Configuration(starts, resources, catalogue, false);
  }

  /** By what manifests are read that come from outside. */
  public ReadingTerms readingTerms() {
    return new ReadingTerms(catalogue, starts.deadline(), false, expandsPathwaysJobs);
  }
}
