// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

/** What an API server posts. */
final class ReviewBodies {
  private ReviewBodies() {}

  /** That alice creates an object without a spec of note. */
  static String creating(String uid, String kind, String metadata) {
    return """
    {'apiVersion': 'admission.k8s.io/v1', 'kind': 'AdmissionReview', 'request': {'uid': '%s',
      'operation': 'CREATE', 'userInfo': {'username': 'alice'},
      'object': {%s, 'metadata': {%s}, 'spec': {}}, 'oldObject': null}}
    """
        .formatted(uid, kind, metadata)
        .replace('\'', '"');
  }
}
