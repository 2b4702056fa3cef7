// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.AttemptKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the logs of attempts: standard output and standard error of each pod, interleaved. */
public interface AttemptLogs {
  /** Returns the names of the attempt's pods, in order; empty if no pod was ever started here. */
  List<String> pods(AttemptKey attempt);

  /**
   * Opens the log of a pod. A log that does not exist is empty.
   *
   * @param tail number of bytes before the present end at which to begin; null: at the beginning
   * @param follow whether to read on after the present end
   */
  Reader open(AttemptKey attempt, String pod, @Nullable Integer tail, boolean follow);

  /** Reads a log once, from its place to its end. Used by one thread; closed by its owner. */
  interface Reader extends AutoCloseable {
    /**
     * Reads on. If the log is followed, returns at once; else waits for bytes or the end.
     *
     * @param bytesMax the most bytes to return
     */
    Piece read(int bytesMax);

    @Override
    void close();
  }

  /**
   * A piece of a log.
   *
   * @param bytes empty if there is nothing more yet
   * @param ended whether this piece reaches the end, and no more can come
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Piece(byte[] bytes, boolean ended) {}
}
