// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import java.util.Comparator;

/** The identity of a LocalQueue: namespace and name. */
public record QueueKey(String namespace, String name) implements Comparable<QueueKey> {
  private static final Comparator<QueueKey> ORDER =
      Comparator.comparing(QueueKey::namespace).thenComparing(QueueKey::name);

  public ObjectKey objectKey() {
    return new ObjectKey(ObjectKind.LOCAL_QUEUE, namespace, name);
  }

  @Override
  public int compareTo(QueueKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
