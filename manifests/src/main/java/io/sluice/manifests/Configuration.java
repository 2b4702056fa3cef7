// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.queuemodel.job.StartPolicy;
import io.sluice.queuemodel.quantity.ResourceTransformations;

/**
 * What an administrator sets for a whole server.
 *
 * @param starts what is done about attempts that have not started
 * @param resources what requests count as
 */
public record Configuration(StartPolicy starts, ResourceTransformations resources) {
  /** Of a server that is told nothing. */
  public static final Configuration DEFAULT =
      new Configuration(StartPolicy.DEFAULT, ResourceTransformations.NONE);
}
