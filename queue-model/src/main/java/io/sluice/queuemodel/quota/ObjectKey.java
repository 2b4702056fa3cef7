// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import java.util.Comparator;

/**
 * The identity of a quota object: kind, namespace and name.
 *
 * @param namespace empty for kinds of the whole cluster
 */
public record ObjectKey(ObjectKind kind, String namespace, String name)
    implements Comparable<ObjectKey> {
  private static final Comparator<ObjectKey> ORDER =
      Comparator.comparing(ObjectKey::kind)
          .thenComparing(ObjectKey::namespace)
          .thenComparing(ObjectKey::name);

  public static ObjectKey of(ObjectKind kind, String name) {
    return new ObjectKey(kind, "", name);
  }

  @Override
  public int compareTo(ObjectKey other) {
    return ORDER.compare(this, other);
  }

  /** As {@code ClusterQueue vision} or {@code LocalQueue team-a/main}. */
  @Override
  public String toString() {
    return kind + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
