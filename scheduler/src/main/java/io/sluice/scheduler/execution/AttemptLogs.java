// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.AttemptKey;
import java.util.List;

/** Reads the logs of attempts: standard output and standard error of each pod, interleaved. */
public interface AttemptLogs {
  /** Returns the names of the attempt's pods, in order; empty if no pod was ever started here. */
  List<String> pods(AttemptKey attempt);

  /**
   * Reads a piece of a pod's log.
   *
   * @param offset in bytes; negative: that many bytes before the current end
   * @param bytesMax the most bytes to return
   * @return an empty piece if there is nothing more yet; {@code ended} says whether more can come
   */
  Chunk read(AttemptKey attempt, String pod, long offset, int bytesMax);

  /**
   * A piece of a log.
   *
   * @param nextOffset the offset for the next read
   * @param ended whether the pod has ended and this piece reaches the end of its log
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Chunk(byte[] bytes, long nextOffset, boolean ended) {}
}
