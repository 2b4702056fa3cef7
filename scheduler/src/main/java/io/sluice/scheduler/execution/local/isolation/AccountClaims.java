// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import io.sluice.scheduler.execution.local.process.LinuxProcessTable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The ids that the servers of this machine have claimed for namespaces: a file of lines {@code ID
 * EXECUTOR DIRECTORY}. A file lock serializes the servers.
 *
 * <p>A claim lasts as long as the directory of its executor. Ids that were never claimed are used
 * first; the ids of deleted directories follow when there are no others.
 */
final class AccountClaims {
  private static final Path PROC = Path.of("/proc");
  private static final Object THIS_PROCESS = new Object();
  private static final int WORDS = 3;
  private static final String MODE = "rwx------";

  private final Path directory;
  private final String executorId;
  private final Path executor;

  /**
   * Opens the claims for an executor.
   *
   * @param directory the directory of the claims; created when an id is claimed
   * @param executorId id of the executor
   * @param executor its directory, with its id in the file {@code executor-id}
   */
  AccountClaims(Path directory, String executorId, Path executor) {
    this.directory = directory;
    this.executorId = executorId;
    this.executor = executor;
  }

  /** A claim. */
  private record Claim(String executorId, Path directory) {
    /** Whether its executor still exists, as far as this server can see. */
    boolean lives() {
      try {
        return Files.readString(directory.resolve("executor-id")).strip().equals(executorId);
      } catch (NoSuchFileException deleted) {
        return false;
      } catch (IOException unknown) {
        return true;
      }
    }
  }

  /** A change of the claims. */
  @FunctionalInterface
  private interface Change<T> {
    T apply(Map<Integer, Claim> claims) throws IOException;
  }

  /**
   * Claims an id for a namespace of this executor.
   *
   * @return empty if all ids of the range are claimed
   */
  OptionalInt claim(AccountRange range) throws IOException {
    if (executor.toString().indexOf('\n') >= 0) {
      throw new IOException("the name of the directory " + executor + " has a line break");
    }
    return locked(
        claims -> {
          OptionalInt id = free(claims, range);
          if (id.isPresent()) {
            claims.put(id.getAsInt(), new Claim(executorId, executor));
          }
          return id;
        });
  }

  /**
   * Renews the claims of ids that this executor's directory records.
   *
   * @return the ids that are this executor's, without those that another one has claimed
   */
  List<Integer> renew(List<Integer> recorded) throws IOException {
    return locked(
        claims -> {
          List<Integer> ours = new ArrayList<>();
          for (int id : recorded) {
            Claim claim = claims.get(id);
            if (claim == null || claim.executorId().equals(executorId)) {
              claims.put(id, new Claim(executorId, executor));
              ours.add(id);
            }
          }
          return ours;
        });
  }

  private static OptionalInt free(Map<Integer, Claim> claims, AccountRange range) {
    for (int id = range.first(); id <= range.last(); id++) {
      if (!claims.containsKey(id)) {
        return OptionalInt.of(id);
      }
    }
    for (Map.Entry<Integer, Claim> claim : claims.entrySet()) {
      int id = claim.getKey();
      if (range.contains(id) && !claim.getValue().lives() && !runs(id)) {
        return OptionalInt.of(id);
      }
    }
    return OptionalInt.empty();
  }

  /** Whether a process of the machine has this user id. */
  private static boolean runs(int userId) {
    String[] names = PROC.toFile().list();
    return Stream.of(names == null ? new String[0] : names)
        .filter(name -> Character.isDigit(name.charAt(0)))
        .map(name -> LinuxProcessTable.userOf(PROC, Long.parseLong(name)))
        .anyMatch(user -> user.isPresent() && user.getAsInt() == userId);
  }

  private <T> T locked(Change<T> change) throws IOException {
    synchronized (THIS_PROCESS) { // the lock is of the process, not of the thread
      prepare(directory);
      try (FileChannel channel =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.lock(); // released when the channel is closed
        DurableLines lines = new DurableLines(directory.resolve("claims"));
        Map<Integer, Claim> before = parse(lines);
        Map<Integer, Claim> after = new TreeMap<>(before);
        T result = change.apply(after);
        if (!after.equals(before)) {
          lines.write(
              after.entrySet().stream()
                  .map(
                      claim ->
                          claim.getKey()
                              + " "
                              + claim.getValue().executorId()
                              + " "
                              + claim.getValue().directory())
                  .toList());
        }
        return result;
      }
    }
  }

  private static void prepare(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(
          directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(MODE)));
    }
  }

  /** Checks that servers can write claims into a directory. */
  static void requireUsable(Path directory) throws IsolationException {
    try {
      prepare(directory);
    } catch (IOException refused) {
      throw new IsolationException("the accounts of jobs cannot be recorded in " + directory);
    }
    if (!Files.isWritable(directory)) {
      throw new IsolationException("the accounts of jobs cannot be recorded in " + directory);
    }
  }

  private static Map<Integer, Claim> parse(DurableLines lines) throws IOException {
    Map<Integer, Claim> claims = new TreeMap<>();
    for (String line : lines.read()) {
      String[] words = line.split(" ", WORDS);
      try {
        claims.put(Integer.valueOf(words[0]), new Claim(words[1], Path.of(words[2])));
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException damaged) {
        throw new IOException(lines + " has a line that is no claim: " + line, damaged);
      }
    }
    return claims;
  }
}
