// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of the embedded server and what stands where in it.
 *
 * <pre>
 * binaries-ID                     the programs, unpacked once for each archive
 * data                            the cluster; belongs to the server's account
 * password                        of the application's role, mode 0600, belongs to us
 * postgresql.conf, pg_hba.conf    written at each start; belong to us, the server only reads them
 * server.log, server.log.1        what the server says
 * new-*, output-*                 unfinished things, deleted at the next start
 * </pre>
 */
record ServerDirectory(Path path) {
  static final String OUTPUT_PREFIX = "output-";
  private static final String BINARIES_PREFIX = "binaries-";
  private static final String UNFINISHED_PREFIX = "new-";

  /** pg_ctl passes paths to a shell inside double quotes, where these characters are special. */
  private static final String UNQUOTABLE = "\"$`\\";

  /**
   * Creates the directory if it does not exist.
   *
   * @throws PostgresStartException if we cannot write in it or the account cannot reach it
   */
  static ServerDirectory prepare(Path requested, ServerAccount account) throws IOException {
    createWithParents(requested.toAbsolutePath(), account);
    ServerDirectory directory = new ServerDirectory(requested.toRealPath());
    directory.requireQuotable();
    if (!Files.isWritable(directory.path)) {
      throw new PostgresStartException(
          "cannot write in "
              + directory.path
              + ": user "
              + System.getProperty("user.name")
              + " has no permission, or the file system is read-only");
    }
    if (account.separate()) {
      directory.admit(account);
    }
    directory.deleteLeftovers();
    return directory;
  }

  Path binaries(String id) {
    return path.resolve(BINARIES_PREFIX + id);
  }

  Path data() {
    return path.resolve("data");
  }

  Path password() {
    return path.resolve("password");
  }

  Path configuration() {
    return path.resolve("postgresql.conf");
  }

  Path hostBasedAuthentication() {
    return path.resolve("pg_hba.conf");
  }

  Path log() {
    return path.resolve("server.log");
  }

  Path previousLog() {
    return path.resolve("server.log.1");
  }

  /** An unused temporary name, for a file that is renamed when it is complete. */
  Path unfinished() {
    return path.resolve(UNFINISHED_PREFIX + UUID.randomUUID());
  }

  /** Deletes the programs of other versions. */
  void keepOnly(Path binaries) throws IOException {
    for (Path other : entries(BINARIES_PREFIX)) {
      if (!other.equals(binaries)) {
        deleteTree(other);
      }
    }
  }

  /** Syncs a directory, so that created or renamed names survive a crash of the machine. */
  static void forceEntries(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  static void deleteTree(Path tree) throws IOException {
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Creates directories, traversable if we are root; existing ones stay as they are. */
  private static void createWithParents(Path directory, ServerAccount account) throws IOException {
    Deque<Path> missing = new ArrayDeque<>();
    for (Path at = directory; at != null && !Files.exists(at); at = at.getParent()) {
      missing.push(at);
    }
    Set<PosixFilePermission> mode =
        PosixFilePermissions.fromString(account.separate() ? "rwx--x--x" : "rwx------");
    for (Path next : missing) {
      Files.createDirectory(next, PosixFilePermissions.asFileAttribute(mode));
      // Restores bits that the process's umask has removed.
      Files.setPosixFilePermissions(next, mode);
    }
    if (!Files.isDirectory(directory)) {
      throw new PostgresStartException(directory + " is not a directory");
    }
  }

  private void requireQuotable() {
    String text = path.toString();
    if (text.chars().anyMatch(c -> UNQUOTABLE.indexOf(c) >= 0 || Character.isISOControl(c))) {
      throw new PostgresStartException(
          "PostgreSQL cannot be started in "
              + text
              + ": the path contains one of \" $ ` \\ or a control character;"
              + " choose another data directory");
    }
  }

  /** Lets the account traverse the directory itself, and checks that it can reach it. */
  private void admit(ServerAccount account) throws IOException {
    for (Path at = path.getParent(); at != null; at = at.getParent()) {
      if (!account.passes(at)) {
        requireReachable(at, account);
        break;
      }
    }
    Set<PosixFilePermission> mode = new HashSet<>(Files.getPosixFilePermissions(path));
    if (mode.add(PosixFilePermission.OTHERS_EXECUTE)) {
      Files.setPosixFilePermissions(path, mode);
    }
  }

  /** Asks the system itself, because an ACL may grant what the mode bits of {@code at} deny. */
  private void requireReachable(Path at, ServerAccount account) throws IOException {
    CommandRunner runner = new CommandRunner(this, account);
    List<String> enter = List.of("/bin/sh", "-c", "cd \"$0\"", String.valueOf(path.getParent()));
    if (!runner.run(CommandRunner.PROBE_LIMIT, "", enter).succeeded()) {
      throw new PostgresStartException(
          "PostgreSQL cannot run as root, and user "
              + account.name()
              + ", who runs it instead, has no permission to enter "
              + at
              + " (mode "
              + PosixFilePermissions.toString(Files.getPosixFilePermissions(at))
              + "): choose another data directory with --data");
    }
  }

  /** Deletes unfinished files. Those that cannot be deleted are left for the next start. */
  void deleteLeftovers() throws IOException {
    for (String prefix : List.of(UNFINISHED_PREFIX, OUTPUT_PREFIX)) {
      for (Path leftover : entries(prefix)) {
        try {
          deleteTree(leftover);
        } catch (IOException e) {
          System.getLogger(ServerDirectory.class.getName())
              .log(System.Logger.Level.DEBUG, "cannot delete " + leftover, e);
        }
      }
    }
  }

  private List<Path> entries(String prefix) throws IOException {
    try (Stream<Path> all = Files.list(path)) {
      return all.filter(entry -> entry.getFileName().toString().startsWith(prefix)).toList();
    }
  }
}
