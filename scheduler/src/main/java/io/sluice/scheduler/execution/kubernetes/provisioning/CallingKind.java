// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

/** Kinds of objects that request capacity from an autoscaler. */
public enum CallingKind {
  POD("/api/v1", "pods"),
  POD_TEMPLATE("/api/v1", "podtemplates"),
  PROVISIONING_REQUEST("/apis/autoscaling.x-k8s.io/v1", "provisioningrequests");

  private final String apiPath;
  private final String plural;

  CallingKind(String apiPath, String plural) {
    this.apiPath = apiPath;
    this.plural = plural;
  }

  /** Returns the API path of its objects in all namespaces. */
  public String path() {
    return apiPath + "/" + plural;
  }

  /** Returns the API path of its objects in a namespace. */
  public String path(String namespace) {
    return apiPath + "/namespaces/" + namespace + "/" + plural;
  }
}
