// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was started, on disk, for the server that comes after a crash: one file an attempt, there
 * from before its first process until its end is reported. A file is never seen half written. A
 * crash of the machine may lose it, and takes the processes with it.
 */
final class AttemptRecords {
  private static final Logger LOG = System.getLogger(AttemptRecords.class.getName());
  private static final Pattern FILE =
      Pattern.compile("([0-9a-f-]{36})\\.(\\d{1,10})\\.(\\d{1,10})");
  private static final String SUFFIX = ".json";

  private final ObjectMapper json = new ObjectMapper();
  private final Path directory;

  AttemptRecords(Path directory) {
    this.directory = directory;
  }

  /**
   * An attempt.
   *
   * @param bootId of the run of the machine that the pids belong to
   * @param pods whose process groups were made; empty while none is known
   */
  record AttemptRecord(int generation, String bootId, List<PodRecord> pods) {
    AttemptRecord {
      pods = pods == null ? List.of() : List.copyOf(pods);
    }
  }

  /**
   * A pod.
   *
   * @param pid of the leader of its process group
   * @param start of that leader, as in {@link ProcessMark}
   */
  record PodRecord(String pod, String host, long pid, long start) {}

  void write(AttemptKey attempt, AttemptRecord attemptRecord) throws IOException {
    PrivateFiles.replace(file(attempt), json.writeValueAsBytes(attemptRecord));
  }

  void remove(AttemptKey attempt) {
    try {
      Files.deleteIfExists(file(attempt));
    } catch (IOException failed) {
      LOG.log(Level.WARNING, "Record of " + attempt + " stays: " + failed);
    }
  }

  /** All there are. Of one that cannot be read it is known only that the attempt was started. */
  Map<AttemptKey, AttemptRecord> read() throws IOException {
    Map<AttemptKey, AttemptRecord> records = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        Matcher matcher = FILE.matcher(name.substring(0, name.length() - SUFFIX.length()));
        if (matcher.matches()) {
          records.put(key(matcher), read(file));
        }
      }
    } catch (InvalidValueException | NumberFormatException foreign) {
      throw new IOException("a file in " + directory + " is no record", foreign);
    }
    return records;
  }

  private AttemptRecord read(Path file) {
    try {
      return json.readValue(Files.readAllBytes(file), AttemptRecord.class);
    } catch (IOException unreadable) {
      LOG.log(Level.WARNING, "Record " + file + " cannot be read: " + unreadable.getClass());
      return new AttemptRecord(0, "", List.of());
    }
  }

  private static AttemptKey key(Matcher name) {
    return new AttemptKey(
        JobId.parse(name.group(1)),
        Integer.parseInt(name.group(2)),
        Integer.parseInt(name.group(3)));
  }

  private Path file(AttemptKey attempt) {
    return directory.resolve(
        attempt.job() + "." + attempt.index() + "." + attempt.attempt() + SUFFIX);
  }
}
