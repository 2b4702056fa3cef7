// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;

/** Calls a task whenever an object of an informer is added, changed or deleted. */
public final class WakingHandler<T> implements ResourceEventHandler<T> {
  private final Runnable wake;

  public WakingHandler(Runnable wake) {
    this.wake = wake;
  }

  @Override
  public void onAdd(T object) {
    wake.run();
  }

  @Override
  public void onUpdate(T before, T after) {
    wake.run();
  }

  @Override
  public void onDelete(T object, boolean unknown) {
    wake.run();
  }
}
