// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.local.isolation.JobIsolation;
import io.sluice.scheduler.execution.local.process.Platform;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The local executor's directory. One server at a time holds its lock; the operating system
 * releases the lock of a server that dies.
 *
 * @param executorId id of the executor, the same for every server on this directory
 * @param lock file lock, held until the directory is closed
 */
public record ExecutorDirectory(
    String executorId,
    Platform platform,
    AttemptRecords records,
    LogFiles logs,
    WorkDirectories work,
    JobIsolation isolation,
    FileChannel lock)
    implements AutoCloseable {
  /** Detects the machine's features for an executor id. */
  @FunctionalInterface
  public interface PlatformFinder {
    Platform find(String executorId);
  }

  /**
   * Opens the directory; creates it if it does not exist.
   *
   * @param live whether processes of an attempt may still write logs
   * @param remover runs slow removals
   * @throws IllegalStateException if it cannot be written, or another server uses it
   */
  public static ExecutorDirectory open(
      LocalExecutorSettings settings,
      PlatformFinder platforms,
      Predicate<AttemptKey> live,
      Executor remover) {
    Path directory = settings.directory();
    FileChannel lock = null;
    try {
      Files.createDirectories(directory);
      PrivateFiles.makePassable(directory);
      lock = lock(directory);
      return open(settings, platforms, live, remover, lock);
    } catch (IOException unusable) {
      close(lock);
      throw new IllegalStateException(
          "the local executor cannot use its directory " + directory + ": " + reason(unusable),
          unusable);
    }
  }

  private static ExecutorDirectory open(
      LocalExecutorSettings settings,
      PlatformFinder platforms,
      Predicate<AttemptKey> live,
      Executor remover,
      FileChannel lock)
      throws IOException {
    Path directory = settings.directory();
    String executorId = executorId(directory.resolve("executor-id"));
    Path attempts = directory.resolve("attempts");
    Path logs = directory.resolve("logs");
    Path work = directory.resolve("work");
    PrivateFiles.create(attempts);
    PrivateFiles.create(logs);
    PrivateFiles.createPassable(work);
    Platform platform = platforms.find(executorId);
    JobIsolation isolation =
        JobIsolation.open(settings.isolation(), platform.shell(), directory, executorId, work);
    return new ExecutorDirectory(
        executorId,
        platform,
        new AttemptRecords(attempts, executorId),
        new LogFiles(
            logs,
            settings.logBytesMax(),
            new LogFiles.Kept(settings.loggedAttemptsMax(), settings.loggedBytesMax()),
            live),
        new WorkDirectories(work, platform, isolation, remover),
        isolation,
        lock);
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException sameServer) {
      // The lock ends with the server's process.
    }
    channel.close();
    throw new IOException("another server uses it");
  }

  private static String executorId(Path file) throws IOException {
    if (!Files.exists(file)) {
      PrivateFiles.replace(file, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
    }
    String text = Files.readString(file).strip();
    try {
      return UUID.fromString(text).toString();
    } catch (IllegalArgumentException damaged) {
      throw new IOException(file + " must hold a UUID and holds '" + text + "'", damaged);
    }
  }

  /** Returns the reason of a failure, since the JDK's messages are mostly only a file's name. */
  private static String reason(IOException unusable) {
    return unusable.getClass() == IOException.class
        ? String.valueOf(unusable.getMessage())
        : unusable.getClass().getSimpleName() + " " + unusable.getMessage();
  }

  @Override
  public void close() {
    close(lock);
  }

  private static void close(@Nullable FileChannel lock) {
    try {
      if (lock != null) {
        lock.close();
      }
    } catch (IOException unlockedAnyway) {
      // The lock ends with the server's process.
    }
  }
}
