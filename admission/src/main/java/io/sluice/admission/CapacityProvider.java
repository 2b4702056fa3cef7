// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.event.SliceEvent;
import java.util.List;

/**
 * Port: asks for slices that are absent and gives back those of which nobody makes use. It is
 * called only for what is durable, and may be called again for what it was called for before. Its
 * answers come as inputs.
 *
 * <p>How it gets what is sought is its own affair. Where only pending pods call for capacity, as
 * with a cluster's autoscaler, it keeps placeholder pods pending: as many as were sought and not
 * withdrawn, never more, and of the lowest priority. Jobs hold no quota and have no pods until they
 * are admitted.
 */
public interface CapacityProvider {
  /** A provider that never gives anything. */
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
   * Asks for slices, all or none.
   *
   * @param rung by which the answer names the request
   */
  void seek(RungKey rung, SlicePool pool, int slices);

  /** Nothing is sought any more for a rung; what was sought may have been given just before. */
  void withdraw(RungKey rung);

  /** Gives slices back. */
  void release(List<String> slices);

  /**
   * What it gave was not taken. Slices that nobody sought are given back besides; those that were
   * there before are somebody's, and are not.
   */
  void refused(SliceEvent.GrantRefused grant);
}
