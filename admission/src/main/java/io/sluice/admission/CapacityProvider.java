// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.event.SliceEvent;
import java.util.List;

/**
 * Port: requests absent slices and gives unused ones back. It is called only for durable decisions,
 * and calls may repeat. Answers come as inputs.
 *
 * <p>Each implementation decides how to obtain capacity. Where only pending pods trigger
 * provisioning, as with a cluster autoscaler, it keeps placeholder pods pending: exactly as many as
 * were sought and not withdrawn, at the lowest priority. Jobs hold no quota and have no pods until
 * they are admitted.
 */
public interface CapacityProvider {
  /** A provider that never grants anything. */
  CapacityProvider NONE =
      new CapacityProvider() {
        @Override
        public void seek(RungKey rung, SlicePool pool, int slices) {}

        @Override
        public void withdraw(RungKey rung) {}

        @Override
        public void release(List<String> slices) {}

        @Override
        public void refused(SliceEvent.GrantRefused grant) {}
      };

  /**
   * Requests slices, all or none.
   *
   * @param rung identifies the request in the answer
   */
  void seek(RungKey rung, SlicePool pool, int slices);

  /** Withdraws the request of a rung. Its slices may have been granted just before. */
  void withdraw(RungKey rung);

  /** Gives slices back. */
  void release(List<String> slices);

  /**
   * Reports that a grant was refused. Slices that no rung sought are also released; slices that
   * existed before are in use and are not.
   */
  void refused(SliceEvent.GrantRefused grant);
}
