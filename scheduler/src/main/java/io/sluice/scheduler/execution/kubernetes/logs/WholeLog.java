// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.logs;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.scheduler.execution.AttemptLogs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Reads a log up to its present end, in one request. */
final class WholeLog implements AttemptLogs.Reader {
  private static final int CHUNK_BYTES = 16 << 10;
  private static final byte[] NOTHING = {};
  private static final Logger LOG = Logger.getLogger(WholeLog.class);

  private final StampedLines lines;
  private @Nullable InputStream in;
  private byte[] ready;

  WholeLog(ContainerLog log, @Nullable Integer tail) {
    this(log, tail, new StampedLines());
  }

  /**
   * Opens a log.
   *
   * @param lines gets its place
   */
  WholeLog(ContainerLog log, @Nullable Integer tail, StampedLines lines) {
    this.lines = lines;
    // Each line has a byte or more, so that so many lines have the wanted bytes.
    this.in = open(log, tail == null ? null : Math.max(1, tail));
    this.ready = tail == null ? NOTHING : tail(tail);
  }

  private static @Nullable InputStream open(ContainerLog log, @Nullable Integer lines) {
    try {
      return log.read(lines);
    } catch (KubernetesClientException notYet) {
      return null;
    }
  }

  /** Reads to the end, and returns the last bytes. Keeps at most twice as many. */
  private byte[] tail(int bytesMax) {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    byte[] chunk = next();
    while (chunk.length > 0) {
      kept.writeBytes(chunk);
      if (kept.size() > 2L * bytesMax + CHUNK_BYTES) {
        byte[] last = last(kept.toByteArray(), bytesMax);
        kept.reset();
        kept.writeBytes(last);
      }
      chunk = next();
    }
    return last(kept.toByteArray(), bytesMax);
  }

  private static byte[] last(byte[] all, int count) {
    return Arrays.copyOfRange(all, Math.max(0, all.length - count), all.length);
  }

  @Override
  public AttemptLogs.Piece read(int bytesMax) {
    if (ready.length == 0) {
      ready = next();
    }
    int count = Math.min(bytesMax, ready.length);
    byte[] piece = Arrays.copyOf(ready, count);
    ready = Arrays.copyOfRange(ready, count, ready.length);
    return new AttemptLogs.Piece(piece, in == null && ready.length == 0);
  }

  /** Waits for the next text; empty at the end. */
  private byte[] next() {
    InputStream from = in;
    if (from == null) {
      return NOTHING;
    }
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      while (text.size() == 0) {
        int count = from.read(chunk);
        if (count < 0) {
          close();
          return NOTHING;
        }
        lines.take(chunk, 0, count, text);
      }
    } catch (IOException broken) {
      LOG.debugf("a log ends early: %s", broken.getMessage());
      close();
    }
    return text.toByteArray();
  }

  @Override
  public void close() {
    InputStream from = in;
    in = null;
    if (from != null) {
      try {
        from.close();
      } catch (IOException closed) {
        LOG.debugf("cannot close a log: %s", closed.getMessage());
      }
    }
  }
}
