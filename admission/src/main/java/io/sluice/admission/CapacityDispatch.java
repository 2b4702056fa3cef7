// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.topology.SlicePool;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.event.SliceEvent.GrantFault;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.AcceleratorRequest;
import java.util.List;

/** Passes durable decisions about capacity to the capacity provider. */
final class CapacityDispatch {
  private final AdmissionState state;
  private final CapacityProvider provider;

  CapacityDispatch(AdmissionState state, CapacityProvider provider) {
    this.state = state;
    this.provider = provider;
  }

  /** Repeats the requests of waiting jobs, and releases absent slices again. */
  void resume() {
    List<String> absent =
        state.slices().standings().all().stream()
            .filter(standing -> standing.condition() == SliceCondition.ABSENT)
            .map(SliceStanding::slice)
            .toList();
    if (!absent.isEmpty()) {
      provider.release(absent);
    }
    for (JobEntry job : state.ladders().waiting()) {
      job.ladder().keySet().forEach(rung -> seek(new RungKey(job.id(), rung)));
    }
  }

  void dispatch(Event event) {
    if (event instanceof RungEvent.RungOpened opened) {
      seek(opened.rung());
    } else if (event instanceof RungEvent.RungPaused paused) {
      provider.withdraw(paused.rung());
    } else if (event instanceof RungEvent.RungClosed closed) {
      provider.withdraw(closed.rung());
    } else if (event instanceof RungEvent.RungLeft left) {
      provider.withdraw(left.rung());
    } else if (event instanceof SliceEvent.SlicesReleased released) {
      provider.release(released.slices());
    } else if (event instanceof SliceEvent.GrantRefused grant) {
      provider.refused(grant);
      if (grant.fault() == GrantFault.NOT_SOUGHT) {
        provider.release(grant.slices());
      }
    }
  }

  /** Seeks the slices of a rung, unless memory already shows that its job no longer waits. */
  private void seek(RungKey rung) {
    JobEntry job = state.findJob(rung.job());
    RungProgress progress = state.ladders().find(rung);
    AcceleratorRequest accelerator = job == null ? null : job.workload().shape().accelerator();
    Assignment wanted = progress == null ? null : progress.wanted();
    if (job != null && accelerator != null && wanted != null) {
      SlicePool pool = SlicePool.of(wanted, job.workload().shape());
      if (pool != null) {
        provider.seek(rung, pool, accelerator.slices().min());
      }
    }
  }
}
