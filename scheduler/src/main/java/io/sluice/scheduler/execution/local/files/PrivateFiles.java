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

/** Creates files and folders of the server with the fewest permissions for other accounts. */
final class PrivateFiles {
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x--x");
  private static final Set<PosixFilePermission> PRIVATE_FILE =
      PosixFilePermissions.fromString("rw-------");

  private PrivateFiles() {}

  /** Creates a folder for its owner alone, if it does not exist. */
  static void create(Path folder) throws IOException {
    create(folder, PRIVATE);
  }

  /** Creates a folder, if it does not exist, that others may pass through but not list. */
  static void createPassable(Path folder) throws IOException {
    create(folder, PASSABLE);
  }

  /** Lets others pass through an existing folder; another owner's folder stays as it is. */
  static void makePassable(Path folder) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    if (permissions.addAll(PASSABLE)) {
      try {
        Files.setPosixFilePermissions(folder, permissions);
      } catch (FileSystemException notOurs) {
        // The probe of the account shows whether that matters.
      }
    }
  }

  private static void create(Path folder, Set<PosixFilePermission> permissions) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(PRIVATE));
      Files.setPosixFilePermissions(folder, permissions); // whatever the umask is
    }
  }

  /** Returns the permissions of a file that only its owner may read and write. */
  static FileAttribute<Set<PosixFilePermission>> forOwner() {
    return PosixFilePermissions.asFileAttribute(PRIVATE_FILE);
  }

  /** Replaces a file atomically: a reader sees the old content or the new one. */
  static void replace(Path file, byte[] content) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(unfinished);
    Files.createFile(unfinished, PosixFilePermissions.asFileAttribute(PRIVATE_FILE));
    Files.write(unfinished, content);
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
