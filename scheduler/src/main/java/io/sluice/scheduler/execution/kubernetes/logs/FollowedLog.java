// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.logs;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.sluice.scheduler.execution.AttemptLogs;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Follows a log by a stream of its cluster. A stream that ends is opened again at the second of the
 * last line, and lines that were read are left out. The log has ended when a stream that began
 * after the end of the pod has ended without a failure.
 */
final class FollowedLog implements AttemptLogs.Reader {
  /** The shortest time between two streams. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final byte[] NOTHING = {};
  private static final Logger LOG = Logger.getLogger(FollowedLog.class);

  private final ContainerLog log;
  private final Semaphore streams;
  private final StampedLines lines = new StampedLines();

  /** What is to be read before the streams. */
  private @Nullable WholeLog tail;

  private @Nullable Stream stream;
  private long openedAtNanos = System.nanoTime() - PAUSE.toNanos();
  private boolean ended;

  /**
   * An open stream.
   *
   * @param last whether the pod was over when it began
   */
  private record Stream(LogBuffer text, LogWatch watch, boolean last) {}

  /**
   * Creates a reader; it opens its stream when it is read.
   *
   * @param streams bounds the number of open streams
   */
  FollowedLog(ContainerLog log, @Nullable Integer tail, Semaphore streams) {
    this.log = log;
    this.streams = streams;
    this.tail = tail == null ? null : new WholeLog(log, tail, lines);
  }

  @Override
  public AttemptLogs.Piece read(int bytesMax) {
    WholeLog before = tail;
    if (before != null) {
      AttemptLogs.Piece piece = before.read(bytesMax);
      tail = piece.ended() ? null : before;
      return new AttemptLogs.Piece(piece.bytes(), false);
    }
    Stream from = stream == null ? open() : stream;
    if (from == null) {
      return new AttemptLogs.Piece(NOTHING, ended);
    }
    byte[] bytes = from.text().take(bytesMax);
    if (from.text().isDone()) {
      ended = from.last() && !from.text().hasFailed();
      release(from);
    }
    return new AttemptLogs.Piece(bytes, ended);
  }

  private @Nullable Stream open() {
    if (ended || System.nanoTime() - openedAtNanos < PAUSE.toNanos() || !streams.tryAcquire()) {
      return null;
    }
    openedAtNanos = System.nanoTime();
    boolean opened = false;
    try {
      ContainerLog.State state = log.state();
      ended = state == ContainerLog.State.GONE;
      if (ended || state == ContainerLog.State.WAITING) {
        return null;
      }
      lines.restart();
      LogBuffer text = new LogBuffer(lines);
      LogWatch watch = log.follow(lines.last(), text);
      var unused = watch.onClose().thenAccept(text::end);
      Stream next = new Stream(text, watch, state == ContainerLog.State.OVER);
      stream = next;
      opened = true;
      return next;
    } catch (KubernetesClientException failure) {
      LOG.debugf("cannot follow a log, tries again: %s", failure.getMessage());
      return null;
    } finally {
      if (!opened) {
        streams.release();
      }
    }
  }

  private void release(Stream from) {
    stream = null;
    from.watch().close();
    from.text().end(null);
    streams.release();
  }

  @Override
  public void close() {
    ended = true;
    if (tail != null) {
      tail.close();
    }
    if (stream != null) {
      release(stream);
    }
  }
}
