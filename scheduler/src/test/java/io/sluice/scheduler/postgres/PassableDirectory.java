// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A temporary directory that the server's account may pass through, even if the tests run as root.
 * JUnit's directories admit only their owner.
 */
record PassableDirectory(Path path) implements AutoCloseable {
  /** The unpacked programs, once per JVM; unpacking takes longer than most tests. */
  private static final class Unpacked {
    static final Path PROGRAMS = unpack();

    private static Path unpack() {
      try {
        PassableDirectory directory = create();
        Runtime.getRuntime().addShutdownHook(new Thread(directory::close));
        return ServerPrograms.provide(new ServerDirectory(directory.path)).home();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static PassableDirectory create() throws IOException {
    Path path = Files.createTempDirectory("sluice-postgres-").toRealPath();
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
    return new PassableDirectory(path);
  }

  /**
   * Creates a directory with links to the server's programs: replace the links, never write through
   * them.
   */
  static PassableDirectory createWithPrograms() throws IOException {
    PassableDirectory directory = create();
    Path source = Unpacked.PROGRAMS;
    Path target = directory.resolve(source.getFileName().toString());
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
              throws IOException {
            Path made = Files.createDirectory(target.resolve(source.relativize(from)));
            Files.setPosixFilePermissions(made, Files.getPosixFilePermissions(from));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path from, BasicFileAttributes attributes)
              throws IOException {
            Files.createLink(target.resolve(source.relativize(from)), from);
            return FileVisitResult.CONTINUE;
          }
        });
    return directory;
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() {
    try {
      ServerDirectory.deleteTree(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
