// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

/** Waits for threads to end, also where the waiting thread is interrupted meanwhile. */
final class ThreadEnd {
  private ThreadEnd() {}

  /** Waits for the end of a thread; an interrupt of the caller is still set afterwards. */
  static void await(Thread thread) {
    await(thread, () -> {});
  }

  /**
   * As {@link #await(Thread)}, and does something then, which an interrupt that came while it was
   * waited does not disturb.
   */
  static void await(Thread thread, Runnable then) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    then.run();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
