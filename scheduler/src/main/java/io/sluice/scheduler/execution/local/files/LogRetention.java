// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Keeps the logs of a maximum number of attempts and of a total size; removes those of the oldest
 * that are not live. Not thread-safe.
 */
final class LogRetention {
  private static final Logger LOG = System.getLogger(LogRetention.class.getName());
  private static final int DEPTH = 3;

  private final Path directory;
  private final LogFiles.Kept kept;

  /** Attempts with logs, the oldest first, and the bytes of their logs; 0 before their end. */
  private final Map<AttemptKey, Long> attempts = new LinkedHashMap<>();

  private long bytes;

  /** Reads the logs that an earlier server left in the directory. */
  LogRetention(Path directory, LogFiles.Kept kept) throws IOException {
    this.directory = directory;
    this.kept = kept;
    Map<AttemptKey, FileTime> changedAt = new TreeMap<>();
    try (Stream<Path> found = Files.find(directory, DEPTH, (path, kind) -> kind.isDirectory())) {
      for (Path folder : (Iterable<Path>) found::iterator) {
        Optional<AttemptKey> attempt = attempt(directory.relativize(folder));
        if (attempt.isPresent()) {
          changedAt.put(attempt.get(), Files.getLastModifiedTime(folder));
        }
      }
    } catch (UncheckedIOException unreadable) {
      throw unreadable.getCause();
    }
    for (AttemptKey attempt :
        changedAt.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
            .map(Map.Entry::getKey)
            .toList()) {
      count(attempt, size(AttemptFolder.in(directory, attempt).attempt()));
    }
  }

  private static Optional<AttemptKey> attempt(Path place) {
    if (place.getNameCount() != DEPTH) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new AttemptKey(
              JobId.parse(place.getName(0).toString()),
              Integer.parseInt(place.getName(1).toString()),
              Integer.parseInt(place.getName(2).toString())));
    } catch (InvalidValueException | NumberFormatException notOurs) {
      return Optional.empty();
    }
  }

  private static long size(Path folder) throws IOException {
    long size = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        size += Files.size(file);
      }
    } catch (DirectoryIteratorException unreadable) {
      throw unreadable.getCause();
    }
    return size;
  }

  /** Sets the size of an attempt's logs; the attempt keeps its age. */
  private void count(AttemptKey attempt, long size) {
    Long before = attempts.put(attempt, size);
    bytes += size - (before == null ? 0 : before);
  }

  /** Adds an attempt, and removes logs beyond the maximum. */
  void add(AttemptKey attempt, Predicate<AttemptKey> live) {
    count(attempt, 0);
    removeOldest(attempt, live);
  }

  /** Counts the logs of an attempt that has ended, and removes logs beyond the maximum. */
  void ended(AttemptKey attempt, long size, Predicate<AttemptKey> live) {
    if (attempts.containsKey(attempt)) { // else it had no pods, or its logs are gone
      count(attempt, size);
      removeOldest(attempt, live);
    }
  }

  private void removeOldest(AttemptKey newest, Predicate<AttemptKey> live) {
    Iterator<Map.Entry<AttemptKey, Long>> oldest = attempts.entrySet().iterator();
    while ((attempts.size() > kept.attempts() || bytes > kept.bytes()) && oldest.hasNext()) {
      Map.Entry<AttemptKey, Long> candidate = oldest.next();
      if (!candidate.getKey().equals(newest) && !live.test(candidate.getKey())) {
        bytes -= candidate.getValue();
        oldest.remove();
        remove(AttemptFolder.in(directory, candidate.getKey()));
      }
    }
  }

  private static void remove(AttemptFolder folder) {
    try {
      List<Path> files;
      try (Stream<Path> found = Files.list(folder.attempt())) {
        files = found.toList();
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder.attempt());
      folder.removeSurroundings();
    } catch (NoSuchFileException alreadyGone) {
      // Another thread removed it.
    } catch (IOException failed) {
      LOG.log(Level.WARNING, "Logs in " + folder.attempt() + " were not removed: " + failed);
    }
  }
}
