// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

/** The kinds of objects that call for capacity. */
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

  /** The path of the API that has all of its objects. */
  public String path() {
    return apiPath + "/" + plural;
  }

  /** The path of the API that has those of a namespace. */
  public String path(String namespace) {
    return apiPath + "/namespaces/" + namespace + "/" + plural;
  }
}
