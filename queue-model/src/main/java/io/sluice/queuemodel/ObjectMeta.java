// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel;

/**
 * The metadata of a named object: name, namespace, labels, annotations.
 *
 * @param namespace empty for objects of the whole cluster
 */
public record ObjectMeta(String namespace, String name, Labels labels, Labels annotations) {
  public static ObjectMeta named(String name) {
    return new ObjectMeta("", name, Labels.NONE, Labels.NONE);
  }

  public static ObjectMeta named(String namespace, String name) {
    return new ObjectMeta(namespace, name, Labels.NONE, Labels.NONE);
  }
}
