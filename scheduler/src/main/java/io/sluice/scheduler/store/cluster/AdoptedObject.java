// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import java.util.UUID;

/**
 * A version of an adopted object: a user created it in a cluster, and it is a job here.
 *
 * @param cluster name of the cluster
 * @param version from 1
 * @param kind as manifests write it
 * @param digest of the fields that its user may decide
 */
public record AdoptedObject(
    String cluster,
    UUID uid,
    int version,
    String kind,
    String namespace,
    String name,
    String digest) {
  /** The same object with another version number. */
  public AdoptedObject version(int other) {
    return new AdoptedObject(cluster, uid, other, kind, namespace, name, digest);
  }
}
