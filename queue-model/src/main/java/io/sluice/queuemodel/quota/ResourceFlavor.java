// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import java.util.List;

/** A variant of resources: nodes and slices that carry the flavor's node labels. */
public record ResourceFlavor(
    ObjectMeta meta, Labels nodeLabels, List<Taint> nodeTaints, List<Toleration> tolerations)
    implements QuotaObject {
  public ResourceFlavor {
    nodeTaints = List.copyOf(nodeTaints);
    tolerations = List.copyOf(tolerations);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.RESOURCE_FLAVOR;
  }

  @Override
  public List<ObjectKey> references() {
    return List.of();
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.resourceFlavor(this);
  }
}
