// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.fleet.Toleration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A variant of resources: nodes and slices that carry the flavor's node labels.
 *
 * @param topology name of the topology by which its pods are placed; null: they are not placed
 */
public record ResourceFlavor(
    ObjectMeta meta,
    Labels nodeLabels,
    List<Taint> nodeTaints,
    List<Toleration> tolerations,
    @Nullable String topology)
    implements QuotaObject {
  public ResourceFlavor {
    nodeTaints = List.copyOf(nodeTaints);
    tolerations = List.copyOf(tolerations);
  }

  /** A flavor whose pods are not placed. */
  public ResourceFlavor(
      ObjectMeta meta, Labels nodeLabels, List<Taint> nodeTaints, List<Toleration> tolerations) {
    this(meta, nodeLabels, nodeTaints, tolerations, null);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.RESOURCE_FLAVOR;
  }

  @Override
  public List<ObjectKey> references() {
    return topology == null ? List.of() : List.of(ObjectKey.of(ObjectKind.TOPOLOGY, topology));
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.resourceFlavor(this);
  }
}
