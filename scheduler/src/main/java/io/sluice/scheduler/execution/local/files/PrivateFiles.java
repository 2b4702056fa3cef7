// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders of the server, with no more rights for others than they need. */
final class PrivateFiles {
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x--x");
  private static final Set<PosixFilePermission> PRIVATE_FILE =
      PosixFilePermissions.fromString("rw-------");

  private PrivateFiles() {}

  /** Makes a folder for its owner alone, if it is not there. */
  static void create(Path folder) throws IOException {
    create(folder, PRIVATE);
  }

  /** Makes a folder, if it is not there, that others may pass through without seeing its names. */
  static void createPassable(Path folder) throws IOException {
    create(folder, PASSABLE);
  }

  /**
   * Lets others pass through a folder that is there; if it is somebody else's it stays as it is.
   */
  static void makePassable(Path folder) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    if (permissions.addAll(PASSABLE)) {
      try {
        Files.setPosixFilePermissions(folder, permissions);
      } catch (FileSystemException notOurs) {
        // Whether that matters is found out when an account is tried.
      }
    }
  }

  private static void create(Path folder, Set<PosixFilePermission> permissions) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(PRIVATE));
      Files.setPosixFilePermissions(folder, permissions); // whatever the umask is
    }
  }

  /** What a new file has that its owner alone may read and write. */
  static FileAttribute<Set<PosixFilePermission>> forOwner() {
    return PosixFilePermissions.asFileAttribute(PRIVATE_FILE);
  }

  /** Writes a file such that a reader finds the old content or the new one, never a part. */
  static void replace(Path file, byte[] content) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(unfinished);
    Files.createFile(unfinished, PosixFilePermissions.asFileAttribute(PRIVATE_FILE));
    Files.write(unfinished, content);
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
