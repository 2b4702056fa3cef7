// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

/** Builds bodies of admission reviews as an API server posts them. */
final class ReviewBodies {
  private ReviewBodies() {}

  /** Returns the review in which alice creates an object without a spec. */
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
