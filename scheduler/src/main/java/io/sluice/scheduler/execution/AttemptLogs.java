// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.AttemptKey;
import java.util.List;

/** What the processes of attempts printed, standard output and standard error together. */
public interface AttemptLogs {
  /** Names of the attempt's pods, in order; empty if nothing of it was ever started here. */
  List<String> pods(AttemptKey attempt);

  /**
   * Some of what a pod printed.
   *
   * @param offset in bytes; negative: so many bytes before the present end
   * @param bytesMax most that is returned
   * @return nothing more now, with {@code ended} telling whether there will ever be more
   */
  Chunk read(AttemptKey attempt, String pod, long offset, int bytesMax);

  /**
   * A piece of a log.
   *
   * @param nextOffset where to read on
   * @param ended whether the pod has ended and this reaches the end of its log
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Chunk(byte[] bytes, long nextOffset, boolean ended) {}
}
