// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.job.AttemptDeadlines;
import java.time.Duration;

/**
 * The context for reading a manifest: the accelerator catalogue and options of the server.
 *
 * @param catalogue the accelerators that it may name
 * @param startDeadline of jobs that name none
 * @param trusting whether accelerators that the catalogue does not have are taken at the manifest's
 *     word. So are manifests read that a server has stored: what they say was checked before, by a
 *     catalogue that may have known more
 * @param expandsPathwaysJobs whether PathwaysJobs are taken, as the JobSets that they stand for
 */
public record ReadingTerms(
    AcceleratorCatalogue catalogue,
    Duration startDeadline,
    boolean trusting,
    boolean expandsPathwaysJobs) {
  /** Of whoever is told nothing. */
  public static final ReadingTerms DEFAULT =
      new ReadingTerms(
          AcceleratorCatalogue.BUILT_IN, AttemptDeadlines.DEFAULT.start(), false, true);

  /** Of manifests that were checked before they were stored. */
  public static final ReadingTerms STORED =
      new ReadingTerms(AcceleratorCatalogue.BUILT_IN, AttemptDeadlines.DEFAULT.start(), true, true);

  /** The usual ones with a catalogue. */
  public static ReadingTerms of(AcceleratorCatalogue catalogue) {
    return new ReadingTerms(catalogue, DEFAULT.startDeadline, false, true);
  }
}
