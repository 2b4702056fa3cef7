// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.AttemptLogs;
import java.io.File;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The log files of pods: {@code JOB/INDEX/ATTEMPT/POD.log}, beside them the list of the pods in
 * their order. A pod is read only if it is in that list, so no name leads elsewhere.
 *
 * <p>A log that has grown past its bound is emptied under the pod that writes it; of the log of a
 * pod that has ended, the end stays. Offsets go on counting through that: how many bytes were
 * dropped stands in {@code POD.dropped}.
 */
public final class LogFiles implements AttemptLogs {
  private static final Logger LOG = System.getLogger(LogFiles.class.getName());
  private static final String PODS = "pods";
  private static final String LOG_SUFFIX = ".log";
  private static final String DROPPED_SUFFIX = ".dropped";

  /** The end of a log, while it is copied. */
  private static final String KEPT_SUFFIX = ".end";

  private static final int CHUNK_BYTES_MAX = 4 << 20;

  /**
   * Other accounts may write, so that a pod can reopen its {@code /dev/stderr}. Only processes with
   * the file open can reach it, since its folder is closed.
   */
  private static final Set<PosixFilePermission> LOG_PERMISSIONS =
      PosixFilePermissions.fromString("rw-----w-");

  private final Path directory;
  private final long bytesMax;
  private final Predicate<AttemptKey> live;
  private final LogRetention retention;

  /**
   * Opens the logs in a directory.
   *
   * @param bytesMax size beyond which a log is emptied
   * @param kept how many logs are kept
   * @param live whether processes of the attempt may still write logs
   */
  public LogFiles(Path directory, long bytesMax, Kept kept, Predicate<AttemptKey> live)
      throws IOException {
    this.directory = directory;
    this.bytesMax = bytesMax;
    this.live = live;
    this.retention = new LogRetention(directory, kept);
  }

  /**
   * How many logs are kept; the oldest go first, and those of live attempts stay.
   *
   * @param attempts the most attempts
   * @param bytes the most bytes of all logs of ended attempts
   */
  public record Kept(int attempts, long bytes) {}

  /** Creates the logs of an attempt's pods; existing ones stay. */
  public void create(AttemptKey attempt, List<String> pods) throws IOException {
    create(attempt, pods, null);
  }

  /**
   * Creates the logs of an attempt's pods; existing ones stay.
   *
   * @param notice the server's first line in each new log; null: none
   */
  public synchronized void create(AttemptKey attempt, List<String> pods, @Nullable String notice)
      throws IOException {
    Path folder = AttemptFolder.in(directory, attempt).attempt();
    Files.createDirectories(folder);
    Set<String> all = new LinkedHashSet<>(pods(attempt));
    all.addAll(pods);
    PrivateFiles.replace(
        folder.resolve(PODS), String.join("\n", all).getBytes(StandardCharsets.UTF_8));
    for (String pod : pods) {
      Path file = file(attempt, pod).toPath();
      try {
        Files.createFile(file);
        Files.setPosixFilePermissions(file, LOG_PERMISSIONS);
        if (notice != null) {
          Files.writeString(file, "[sluice: " + notice + "]\n", StandardOpenOption.APPEND);
        }
      } catch (FileAlreadyExistsException earlierGeneration) {
        // The log continues.
      }
    }
    retention.add(attempt, live);
  }

  /** Returns the file for a pod's output, to be opened for appending. */
  public File file(AttemptKey attempt, String pod) {
    return AttemptFolder.in(directory, attempt).attempt().resolve(pod + LOG_SUFFIX).toFile();
  }

  @Override
  public List<String> pods(AttemptKey attempt) {
    try {
      return Files.readAllLines(AttemptFolder.in(directory, attempt).attempt().resolve(PODS));
    } catch (IOException none) {
      return List.of();
    }
  }

  @Override
  public Reader open(AttemptKey attempt, String pod, @Nullable Integer tail, boolean follow) {
    return new OffsetReader(attempt, pod, tail);
  }

  /** Reads on from the offset that it has reached. */
  private final class OffsetReader implements Reader {
    private final AttemptKey attempt;
    private final String pod;
    private long offset;

    private OffsetReader(AttemptKey attempt, String pod, @Nullable Integer tail) {
      this.attempt = attempt;
      this.pod = pod;
      if (tail != null && tail == 0) {
        // Reading the last byte returns the offset of the end.
        this.offset = LogFiles.this.read(attempt, pod, -1, 1).nextOffset();
      } else {
        this.offset = tail == null ? 0 : -(long) tail;
      }
    }

    @Override
    public Piece read(int bytesMax) {
      Chunk chunk = LogFiles.this.read(attempt, pod, offset, bytesMax);
      offset = chunk.nextOffset();
      return new Piece(chunk.bytes(), chunk.ended());
    }

    @Override
    public void close() {}
  }

  /**
   * A piece of a log.
   *
   * @param nextOffset the offset for the next read
   * @param ended whether the pod has ended and this piece reaches the end of its log
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Chunk(byte[] bytes, long nextOffset, boolean ended) {}

  /**
   * Reads a piece of a pod's log.
   *
   * @param offset in bytes; negative: that many bytes before the current end
   * @param bytesMax the most bytes to return
   * @return an empty piece if there is nothing more yet; {@code ended} says whether more can come
   */
  public Chunk read(AttemptKey attempt, String pod, long offset, int bytesMax) {
    boolean mayGrow = live.test(attempt); // asked first: a later read sees all of it
    if (!pods(attempt).contains(pod)) {
      return new Chunk(new byte[0], Math.max(0, offset), !mayGrow);
    }
    try {
      return read(attempt, pod, offset, bytesMax, mayGrow);
    } catch (IOException gone) {
      return new Chunk(new byte[0], Math.max(0, offset), !mayGrow);
    }
  }

  private synchronized Chunk read(
      AttemptKey attempt, String pod, long offset, int bytesMax, boolean mayGrow)
      throws IOException {
    long dropped = dropped(attempt, pod);
    try (FileChannel file =
        FileChannel.open(file(attempt, pod).toPath(), StandardOpenOption.READ)) {
      long size = file.size();
      long from =
          offset < 0 ? Math.max(0, size + Math.max(offset, -size)) : Math.max(0, offset - dropped);
      long length = Math.min(size - from, Math.min(Math.max(0, bytesMax), CHUNK_BYTES_MAX));
      if (length <= 0) {
        return new Chunk(new byte[0], dropped + from, !mayGrow && from >= size);
      }
      ByteBuffer buffer = ByteBuffer.allocate((int) length);
      while (buffer.hasRemaining() && file.read(buffer, from + buffer.position()) > 0) {}
      byte[] bytes = new byte[buffer.position()];
      buffer.flip().get(bytes);
      long next = from + bytes.length;
      return new Chunk(bytes, dropped + next, !mayGrow && next >= size);
    }
  }

  /** Truncates a pod's log if it is past its bound. */
  public synchronized void trim(AttemptKey attempt, String pod) {
    Path log = file(attempt, pod).toPath();
    try {
      long size = Files.size(log);
      if (size <= bytesMax) {
        return;
      }
      long dropped = dropped(attempt, pod) + size;
      PrivateFiles.replace(
          droppedFile(attempt, pod), Long.toString(dropped).getBytes(StandardCharsets.US_ASCII));
      try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
        file.truncate(0);
      }
      Files.writeString(log, marker(), StandardOpenOption.APPEND);
    } catch (NoSuchFileException gone) {
      // There is no file to truncate.
    } catch (IOException failed) {
      LOG.log(Level.WARNING, "Log " + log + " was not emptied: " + failed);
    }
  }

  private String marker() {
    return "[sluice: earlier output dropped, the log had grown past " + bytesMax + " bytes]\n";
  }

  /**
   * Bounds the logs of an attempt whose pods write no more, and counts them among those that are
   * kept.
   */
  public synchronized void ended(AttemptKey attempt) {
    if (live.test(attempt)) { // it had not begun, and was started again
      return;
    }
    long bytes = 0;
    for (String pod : pods(attempt)) {
      Path log = file(attempt, pod).toPath();
      try {
        if (Files.size(log) > bytesMax) {
          keepEnd(attempt, pod, log);
        }
        bytes += Files.size(log);
      } catch (NoSuchFileException gone) {
        // It takes no room.
      } catch (IOException failed) {
        LOG.log(Level.WARNING, "Log " + log + " was not cut: " + failed);
      }
    }
    retention.ended(attempt, bytes, live);
  }

  /** Replaces a log by its end, which keeps its offsets. */
  private void keepEnd(AttemptKey attempt, String pod, Path log) throws IOException {
    byte[] marker = marker().getBytes(StandardCharsets.UTF_8);
    Path kept = log.resolveSibling(pod + KEPT_SUFFIX);
    long size = Files.size(log);
    long length = Math.max(0, bytesMax - marker.length);
    Files.deleteIfExists(kept);
    try (FileChannel from = FileChannel.open(log, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(kept, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer begin = ByteBuffer.wrap(marker);
      while (begin.hasRemaining()) {
        to.write(begin);
      }
      for (long copied = 0; copied < length; ) {
        long more = from.transferTo(size - length + copied, length - copied, to);
        if (more <= 0) {
          break;
        }
        copied += more;
      }
    }
    long dropped = dropped(attempt, pod) + size - length - marker.length;
    PrivateFiles.replace(
        droppedFile(attempt, pod), Long.toString(dropped).getBytes(StandardCharsets.US_ASCII));
    Files.move(kept, log, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns the number of bytes dropped before the file's content. */
  private long dropped(AttemptKey attempt, String pod) throws IOException {
    try {
      return Long.parseLong(Files.readString(droppedFile(attempt, pod)));
    } catch (NoSuchFileException nothing) {
      return 0;
    }
  }

  private Path droppedFile(AttemptKey attempt, String pod) {
    return AttemptFolder.in(directory, attempt).attempt().resolve(pod + DROPPED_SUFFIX);
  }
}
