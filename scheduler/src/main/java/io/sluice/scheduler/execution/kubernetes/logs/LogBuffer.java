// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.logs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Text of one stream of a log, between the thread that receives it and the one that reads it. The
 * receiving thread waits while {@value #BYTES_MAX} bytes are there, so that the cluster sends no
 * more. Thread-safe.
 */
final class LogBuffer extends OutputStream {
  private static final int BYTES_MAX = 64 << 10;
  private static final byte[] NOTHING = {};

  private final StampedLines lines;

  // Guarded by this.
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private boolean ended;
  private @Nullable Throwable failure;

  /**
   * Creates a buffer.
   *
   * @param lines guarded by this buffer until it has ended
   */
  LogBuffer(StampedLines lines) {
    this.lines = lines;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int count) throws IOException {
    int at = from;
    while (at < from + count) {
      while (!ended && text.size() >= BYTES_MAX) {
        try {
          wait();
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted", interrupted);
        }
      }
      if (ended) {
        throw new IOException("nobody reads it any more");
      }
      int next = Math.min(from + count, at + BYTES_MAX);
      lines.take(bytes, at, next, text);
      at = next;
    }
  }

  /** Takes text that is there. */
  synchronized byte[] take(int bytesMax) {
    if (text.size() == 0) {
      return NOTHING;
    }
    byte[] all = text.toByteArray();
    int count = Math.min(bytesMax, all.length);
    text.reset();
    text.write(all, count, all.length - count);
    notifyAll();
    return count == all.length ? all : Arrays.copyOf(all, count);
  }

  /** Takes no more text. */
  synchronized void end(@Nullable Throwable why) {
    if (!ended) {
      ended = true;
      failure = why;
      notifyAll();
    }
  }

  /** Whether the stream has ended and its text was taken. */
  synchronized boolean isDone() {
    return ended && text.size() == 0;
  }

  /** Whether the stream ended by a failure. */
  synchronized boolean hasFailed() {
    return failure != null;
  }
}
