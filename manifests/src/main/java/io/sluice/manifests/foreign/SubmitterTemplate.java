// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.FieldWriter;

/** KubeRay's default submitter pod of a RayJob without a template for it. */
public final class SubmitterTemplate {
  private SubmitterTemplate() {}

  /**
   * KubeRay's own template, of which the operator fills in the command.
   *
   * @param headImage the image of the cluster's head; empty: it is not known
   */
  public static ObjectNode usual(String headImage) {
    ObjectNode template = JsonNodeFactory.instance.objectNode();
    ObjectNode spec = template.putObject("spec");
    ObjectNode container = spec.putArray("containers").addObject();
    container.put("name", "ray-job-submitter");
    FieldWriter.putText(container, "image", headImage);
    ObjectNode resources = container.putObject("resources");
    resources.putObject("limits").put("cpu", "1").put("memory", "1Gi");
    resources.putObject("requests").put("cpu", "500m").put("memory", "200Mi");
    spec.put("restartPolicy", "Never");
    return template;
  }
}
