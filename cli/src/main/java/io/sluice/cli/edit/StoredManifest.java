// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.client.ServerClient.Tagged;
import io.sluice.cli.options.Kinds;
import io.sluice.manifests.ManifestWriter;
import org.jspecify.annotations.Nullable;

/**
 * The manifest of an object as the server stores it.
 *
 * @param manifest without the fields that the server adds
 * @param version the entity tag of a quota object, or the version of a pipeline
 */
record StoredManifest(ObjectPath object, ObjectNode manifest, String version) {
  /** Reads the manifest. */
  static StoredManifest read(ServerClient client, ObjectPath object) {
    Tagged answer = client.getTagged(object.path());
    ObjectNode manifest = answer.body().deepCopy();
    String number = manifest.path("status").path("version").asText();
    String tag = answer.tag();
    manifest.remove("status");
    manifest.withObject("metadata").remove("generation");
    manifest.withObject("metadata").remove("creationTimestamp");
    return new StoredManifest(object, manifest, tag == null ? number : tag);
  }

  /** Reads the manifest; null if there is no such object. */
  static @Nullable StoredManifest readOrNull(ServerClient client, ObjectPath object) {
    try {
      return read(client, object);
    } catch (RefusedException refused) {
      if (refused.absent()) {
        return null;
      }
      throw refused;
    }
  }

  String yaml() {
    return ManifestWriter.writeYaml(manifest);
  }

  /**
   * Replaces the manifest, unless it has changed since it was read. The server checks that for
   * quota objects; pipelines have no entity tags, so their version is read again before.
   *
   * @throws RefusedException if the server refuses the text, with status 412 if the object has
   *     changed
   */
  void replace(ServerClient client, byte[] text) {
    if (object.kinds() != Kinds.PIPELINES) {
      client.putIfMatch(object.path(), text, version);
      return;
    }
    String current = read(client, object).version();
    if (!current.equals(version)) {
      throw RefusedException.changed(
          "%s is at version %s, it was read at %s".formatted(object.shown(), current, version));
    }
    client.postIdempotent("/v1/pipelines", text, null);
  }
}
