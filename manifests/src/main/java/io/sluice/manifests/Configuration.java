// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.job.StartPolicy;
import io.sluice.queuemodel.quantity.ResourceTransformations;

/**
 * What an administrator sets for a whole server.
 *
 * @param starts what is done about attempts that have not started
 * @param resources what requests count as
 * @param catalogue the accelerators there are
 */
public record Configuration(
    StartPolicy starts, ResourceTransformations resources, AcceleratorCatalogue catalogue) {
  /** Of a server that is told nothing. */
  public static final Configuration DEFAULT =
      new Configuration(
          StartPolicy.DEFAULT, ResourceTransformations.NONE, AcceleratorCatalogue.BUILT_IN);

  /** The same with another catalogue. */
  Configuration with(AcceleratorCatalogue other) {
    return new Configuration(starts, resources, other);
  }

  /** By what manifests are read that come from outside. */
  public ReadingTerms readingTerms() {
    return new ReadingTerms(catalogue, starts.deadline(), false);
  }
}
