// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.job.JobSpec;
import java.util.List;

/**
 * A job submitted as a manifest of another system: its spec for admission, and the complete
 * manifest.
 *
 * @param spec what it asks for; its commands and environments are in the originals only
 * @param places where its pod sets stand
 * @param elastic the pod sets that may have fewer replicas than they name; the spec says it of the
 *     one that has slices, the others are given what they name
 * @param originals the documents as they were written, one but for a group of pods
 * @param belongings objects that were written beside it and must be there before it
 */
public record ForeignJob(
    ForeignKind kind,
    JobSpec spec,
    List<PodSetPlace> places,
    List<ElasticRange> elastic,
    List<ObjectNode> originals,
    List<ObjectNode> belongings) {
  public ForeignJob {
    places = List.copyOf(places);
    elastic = List.copyOf(elastic);
    originals = copy(originals);
    belongings = copy(belongings);
  }

  @Override
  public List<ObjectNode> originals() {
    return copy(originals);
  }

  @Override
  public List<ObjectNode> belongings() {
    return copy(belongings);
  }

  /** Trees can be changed, so nobody is given those that are kept. */
  private static List<ObjectNode> copy(List<ObjectNode> documents) {
    return documents.stream().map(ObjectNode::deepCopy).toList();
  }
}
