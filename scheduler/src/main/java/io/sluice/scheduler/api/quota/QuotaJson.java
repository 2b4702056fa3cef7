// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.quota.ObjectKey;

/** Names of quota objects as JSON for callers. */
public final class QuotaJson {
  private QuotaJson() {}

  /** Writes the kind, namespace and name of an object. */
  public static void name(ObjectKey key, ObjectNode json) {
    json.put("kind", key.kind().kind());
    if (!key.namespace().isEmpty()) {
      json.put("namespace", key.namespace());
    }
    json.put("name", key.name());
  }
}
