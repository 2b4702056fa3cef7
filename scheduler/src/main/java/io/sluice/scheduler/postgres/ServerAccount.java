// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operating system account that runs the server: our own, but root switches to an account
 * without privileges, because PostgreSQL refuses to run as root.
 *
 * @param prefix the words that make a command run as this account; empty for our own user
 */
record ServerAccount(String name, long uid, long gid, List<String> prefix) {
  /** In this order. Not {@code nobody}: users' jobs may run as that. */
  private static final List<String> CANDIDATES = List.of("postgres", "daemon");

  /** In this order; the second and third also work where setpriv is not installed. */
  private static final List<String> SWITCHERS = List.of("setpriv", "runuser", "su");

  ServerAccount {
    prefix = List.copyOf(prefix);
  }

  /**
   * @throws PostgresStartException if we are root and no account or no program to switch to it is
   *     found
   */
  static ServerAccount choose() throws IOException {
    UnixSystem self = new UnixSystem();
    if (self.getUid() != 0) {
      return new ServerAccount(self.getUsername(), self.getUid(), self.getGid(), List.of());
    }
    return unprivileged(Files.readAllLines(Path.of("/etc/passwd")), ServerAccount::find);
  }

  /**
   * @param passwd the lines of /etc/passwd
   * @param programs finds a program by name
   */
  static ServerAccount unprivileged(
      List<String> passwd, Function<String, Optional<Path>> programs) {
    ServerAccount account =
        CANDIDATES.stream()
            .flatMap(name -> entry(passwd, name).stream())
            .findFirst()
            .orElseThrow(
                () ->
                    new PostgresStartException(
                        "PostgreSQL cannot run as root, and /etc/passwd has neither the user"
                            + " postgres nor daemon to run it as: start as a normal user"));
    for (String switcher : SWITCHERS) {
      Optional<Path> program = programs.apply(switcher);
      if (program.isPresent()) {
        return account.behind(account.switchedBy(switcher, program.get().toString()));
      }
    }
    throw new PostgresStartException(
        "PostgreSQL cannot run as root, and none of setpriv, runuser and su is installed to run it"
            + " as user "
            + account.name
            + ": install util-linux, or start as a normal user");
  }

  /** Root runs the server as another account. */
  boolean separate() {
    return !prefix.isEmpty();
  }

  /** Changes the owner of a file or a whole tree to the account, if we are root. */
  void own(Path tree) throws IOException {
    if (!separate() || holds(tree)) {
      return;
    }
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            give(file);
            return FileVisitResult.CONTINUE;
          }

          // The root of the tree comes last: its owner marks the change as complete.
          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            give(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private boolean holds(Path tree) throws IOException {
    return number(tree, "uid", LinkOption.NOFOLLOW_LINKS) == uid;
  }

  private void give(Path file) throws IOException {
    Files.setAttribute(file, "unix:gid", (int) gid, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(file, "unix:uid", (int) uid, LinkOption.NOFOLLOW_LINKS);
  }

  /** Whether the mode bits let the account traverse a directory. An ACL may still allow it. */
  boolean passes(Path directory) throws IOException {
    long mode = number(directory, "mode");
    if (number(directory, "uid") == uid) {
      return (mode & 0100) != 0;
    }
    return number(directory, "gid") == gid ? (mode & 0010) != 0 : (mode & 0001) != 0;
  }

  private static long number(Path file, String attribute, LinkOption... options)
      throws IOException {
    return ((Number) Files.getAttribute(file, "unix:" + attribute, options)).longValue();
  }

  private ServerAccount behind(List<String> words) {
    return new ServerAccount(name, uid, gid, words);
  }

  private List<String> switchedBy(String switcher, String program) {
    return switch (switcher) {
      case "setpriv" ->
          List.of(program, "--reuid=" + uid, "--regid=" + gid, "--clear-groups", "--");
      case "runuser" -> List.of(program, "-u", name, "--");
      // The account may have no login shell. The words after the account are arguments of the
      // shell.
      default -> List.of(program, "-s", "/bin/sh", "-c", "exec \"$0\" \"$@\"", name, "--");
    };
  }

  private static Optional<ServerAccount> entry(List<String> passwd, String name) {
    return passwd.stream()
        .map(line -> line.split(":", -1))
        .filter(fields -> fields.length >= 4 && fields[0].equals(name))
        .map(
            fields ->
                new ServerAccount(
                    name, Long.parseLong(fields[2]), Long.parseLong(fields[3]), List.of()))
        .findFirst();
  }

  /** Searches PATH and the usual directories, because PATH may lack the sbin directories. */
  static Optional<Path> find(String program) {
    List<String> directories = new ArrayList<>();
    String path = System.getenv("PATH");
    if (path != null) {
      directories.addAll(List.of(path.split(":")));
    }
    directories.addAll(List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin"));
    return directories.stream()
        .filter(directory -> directory.startsWith("/"))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
