// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.ObjectMeta;
import java.util.List;

/**
 * The levels of a topology, from the widest to the narrowest, each a node label.
 *
 * @param levels the labels, from the widest level to the narrowest: as a block, a rack, a host
 */
public record Topology(ObjectMeta meta, List<String> levels) implements QuotaObject {
  /** The label that names a host. A topology that ends with it places pods on single hosts. */
  public static final String HOSTNAME = "kubernetes.io/hostname";

  /** Kueue's bound. */
  public static final int LEVELS_MAX = 16;

  public Topology {
    levels = List.copyOf(levels);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.TOPOLOGY;
  }

  @Override
  public List<ObjectKey> references() {
    return List.of();
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.topology(this);
  }
}
