// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * An informer that is replaced every ten minutes. The next one lists beside the current one and
 * takes over when its list is complete, so a missed event is repaired by then.
 */
public final class RenewedInformer<T extends HasMetadata> implements AutoCloseable {
  static final Duration RENEWED_AFTER = Duration.ofMinutes(10);

  private static final Logger LOG = Logger.getLogger(RenewedInformer.class);

  private final Cluster cluster;
  private final StateLog refusals = new StateLog(LOG);
  private final Supplier<SharedIndexInformer<T>> made;
  private final LongSupplier monotonicNanos;
  private SharedIndexInformer<T> present;
  private @Nullable SharedIndexInformer<T> next;
  private @Nullable CompletableFuture<Void> listed;
  private long since;

  /**
   * Creates the first informer.
   *
   * @param cluster the cluster of the objects
   * @param made creates an informer that is not started
   */
  public RenewedInformer(
      Cluster cluster, Supplier<SharedIndexInformer<T>> made, LongSupplier monotonicNanos) {
    this.cluster = cluster;
    this.made = made;
    this.monotonicNanos = monotonicNanos;
    this.present = make();
    this.since = monotonicNanos.getAsLong();
    var unused = present.start();
  }

  /** Creates an informer that retries after any answer. */
  private SharedIndexInformer<T> make() {
    SharedIndexInformer<T> informer = made.get();
    informer.exceptionHandler(
        (started, failure) -> {
          if (!cluster.noteFailure(failure)) {
            refusals.warn(
                "cluster %s is watched anew: %s".formatted(cluster.name(), failure.getMessage()));
          }
          return true;
        });
    return informer;
  }

  public synchronized SharedIndexInformer<T> present() {
    return present;
  }

  /**
   * Starts the next informer when it is due, and lets it take over when it is ready.
   *
   * @return whether an informer took over
   */
  public synchronized boolean renew() {
    SharedIndexInformer<T> waiting = next;
    CompletableFuture<Void> list = listed;
    if (waiting == null || list == null) {
      if (monotonicNanos.getAsLong() - since >= RENEWED_AFTER.toNanos()) {
        since = monotonicNanos.getAsLong();
        next = make();
        listed = next.start().toCompletableFuture();
      }
      return false;
    }
    if (!list.isDone()) {
      return false;
    }
    next = null;
    if (list.isCompletedExceptionally()) {
      waiting.stop();
      return false;
    }
    present.stop();
    present = waiting;
    return true;
  }

  @Override
  public synchronized void close() {
    present.stop();
    if (next != null) {
      next.stop();
    }
  }
}
