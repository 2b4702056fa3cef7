// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

/** Joins threads, even if the waiting thread is interrupted meanwhile. */
final class ThreadEnd {
  private ThreadEnd() {}

  /** Waits for the end of a thread; the caller's interrupt flag is set again afterwards. */
  static void await(Thread thread) {
    await(thread, () -> {});
  }

  /**
   * As {@link #await(Thread)}, and then runs an action, undisturbed by an interrupt that came
   * during the wait.
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
