// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Keeps the logs of a maximum number of attempts; removes those of the oldest that are not live.
 * Not thread-safe.
 */
final class LogRetention {
  private static final Logger LOG = System.getLogger(LogRetention.class.getName());
  private static final int DEPTH = 3;

  private final Path directory;
  private final int attemptsMax;

  /** Attempts with logs, the oldest first. */
  private final Set<AttemptKey> attempts = new LinkedHashSet<>();

  /** Reads the logs that an earlier server left in the directory. */
  LogRetention(Path directory, int attemptsMax) throws IOException {
    this.directory = directory;
    this.attemptsMax = attemptsMax;
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
    changedAt.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
        .forEach(entry -> attempts.add(entry.getKey()));
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

  /** Adds an attempt, and removes logs beyond the maximum. */
  void add(AttemptKey attempt, Predicate<AttemptKey> live) {
    attempts.add(attempt);
    Iterator<AttemptKey> oldest = attempts.iterator();
    while (attempts.size() > attemptsMax && oldest.hasNext()) {
      AttemptKey candidate = oldest.next();
      if (!candidate.equals(attempt) && !live.test(candidate)) {
        oldest.remove();
        remove(AttemptFolder.in(directory, candidate));
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
