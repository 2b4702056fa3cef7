// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.state.AdmissionState;
import io.sluice.scheduler.loop.CommittedView;
import org.jspecify.annotations.Nullable;

/**
 * The explanations of one request that asks the view several times: what jobs of a shape lack is
 * found once, unless a batch is committed between two questions. For one thread.
 */
final class LatestExplanations {
  private final CommittedView view;
  private @Nullable PageExplanations last;
  private long sequence;

  LatestExplanations(CommittedView view) {
    this.view = view;
  }

  /** Explanations of the present state; to be called within a question about it. */
  PageExplanations of(AdmissionState state) {
    long now = view.sequence();
    PageExplanations known = last;
    if (known != null && known.isOf(state) && sequence == now) {
      return known;
    }
    PageExplanations made = new PageExplanations(state);
    last = made;
    sequence = now;
    return made;
  }
}
