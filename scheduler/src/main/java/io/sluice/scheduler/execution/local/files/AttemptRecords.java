// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.local.process.ProcessMark;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Records of started attempts on disk, for the next server. Each attempt has a file, from before
 * its first process until its end is committed, and a folder for the statuses of its pods. Files
 * are replaced atomically. A crash of the machine may lose a file, but ends the processes as well.
 */
public final class AttemptRecords {
  private static final Logger LOG = System.getLogger(AttemptRecords.class.getName());
  private static final Pattern FILE =
      Pattern.compile("([0-9a-f-]{36})\\.(\\d{1,10})\\.(\\d{1,10})");
  private static final String SUFFIX = ".json";
  private static final String STATUSES = ".statuses";

  /** Not the name of a pod: those end in a number. */
  private static final String OUTPUT = "output";

  private final ObjectMapper json = new ObjectMapper();
  private final Path directory;
  private final String executorId;

  /**
   * Creates the records of an executor.
   *
   * @param executorId id of the executor; records of another one prove nothing
   */
  public AttemptRecords(Path directory, String executorId) {
    this.directory = directory;
    this.executorId = executorId;
  }

  /**
   * The record of an attempt.
   *
   * @param executor id of the executor that started it; null in records of an earlier version
   * @param bootId the boot of the machine to which the pids belong
   * @param pods pods with a process group; empty while none is known and no program runs
   * @param endedByServer whether its server ended it without a decision of the engine
   */
  public record AttemptRecord(
      int generation,
      @Nullable String executor,
      String bootId,
      List<PodRecord> pods,
      boolean endedByServer) {
    /** Placeholder for an unreadable record: the attempt was started, nothing more is known. */
    public static final AttemptRecord UNREADABLE = new AttemptRecord(0, null, "", List.of(), false);

    public AttemptRecord {
      pods = pods == null ? List.of() : List.copyOf(pods);
    }
  }

  /**
   * The record of a pod.
   *
   * @param leader leader of its process group
   * @param wrapper its parent, which records its exit
   */
  public record PodRecord(String pod, String host, ProcessMark leader, ProcessMark wrapper) {}

  public void write(AttemptKey attempt, AttemptRecord attemptRecord) throws IOException {
    PrivateFiles.replace(file(attempt), json.writeValueAsBytes(attemptRecord));
  }

  /** Creates the folder for the statuses of a generation. */
  public Path createStatuses(AttemptKey attempt, int generation) throws IOException {
    Path folder = statuses(attempt, generation);
    PrivateFiles.create(folder);
    return folder;
  }

  /** Returns the file that holds an attempt's output until its end is committed. */
  Path output(AttemptKey attempt, int generation) {
    return statuses(attempt, generation).resolve(OUTPUT);
  }

  /** Returns the status that a pod's wrapper has written so far. */
  public PodStatus status(AttemptKey attempt, int generation, PodRecord pod) {
    return PodStatus.read(
        statuses(attempt, generation).resolve(pod.pod() + "." + pod.wrapper().pid()));
  }

  /** Records that the server ends the attempt without a decision of the engine. */
  public void endedByServer(AttemptKey attempt) {
    AttemptRecord known = read(file(attempt));
    try {
      write(
          attempt,
          new AttemptRecord(
              known.generation(), known.executor(), known.bootId(), known.pods(), true));
    } catch (IOException failed) {
      LOG.log(Level.WARNING, "Record of " + attempt + " was not updated: " + failed);
    }
  }

  /** Removes all files of an attempt, the record last. */
  public void remove(AttemptKey attempt) {
    Path file = file(attempt);
    if (!Files.exists(file)) {
      return;
    }
    try {
      removeStatuses(statuses(attempt, read(file).generation()));
      Files.deleteIfExists(file);
    } catch (IOException failed) {
      LOG.log(Level.WARNING, "Record of " + attempt + " was not removed: " + failed);
    }
  }

  private static void removeStatuses(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException nothingCame) {
      return;
    }
    Files.deleteIfExists(folder);
  }

  /** Reads all records. */
  public Map<AttemptKey, AttemptRecord> read() throws IOException {
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
      AttemptRecord read = json.readValue(Files.readAllBytes(file), AttemptRecord.class);
      String executor = read.executor();
      if (executor == null || executor.equals(executorId)) {
        return read;
      }
      LOG.log(Level.WARNING, "Record " + file + " is of another executor, " + executor);
      return AttemptRecord.UNREADABLE;
    } catch (IOException unreadable) {
      LOG.log(Level.WARNING, "Record " + file + " cannot be read: " + unreadable.getClass());
      return AttemptRecord.UNREADABLE;
    }
  }

  private static AttemptKey key(Matcher name) {
    return new AttemptKey(
        JobId.parse(name.group(1)),
        Integer.parseInt(name.group(2)),
        Integer.parseInt(name.group(3)));
  }

  private static String name(AttemptKey attempt) {
    return attempt.job() + "." + attempt.index() + "." + attempt.attempt();
  }

  private Path file(AttemptKey attempt) {
    return directory.resolve(name(attempt) + SUFFIX);
  }

  private Path statuses(AttemptKey attempt, int generation) {
    return directory.resolve(name(attempt) + "." + generation + STATUSES);
  }
}
