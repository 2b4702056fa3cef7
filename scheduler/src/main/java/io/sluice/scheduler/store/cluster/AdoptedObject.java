// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import java.util.UUID;

/**
 * A version of an object in a cluster that its user created and that is a job here.
 *
 * @param cluster name of the cluster
 * @param version from 1
 * @param kind as manifests write it
 * @param digest of what its user may have decided in it
 */
public record AdoptedObject(
    String cluster,
    UUID uid,
    int version,
    String kind,
    String namespace,
    String name,
    String digest) {
  /** The same as another version. */
  public AdoptedObject version(int other) {
    return new AdoptedObject(cluster, uid, other, kind, namespace, name, digest);
  }
}
