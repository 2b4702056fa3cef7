// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of the instance that owns a data directory, kept in {@code DIR/instance.json}. A
 * copy of the directory cannot share it: the file names its own inode, its machine and its path.
 *
 * @param id a UUID, made with the directory or when a copy of it is detached
 * @param machine id of the machine; empty where the machine has none
 * @param directory real path of the data directory
 * @param inode inode number of the file itself, which a rename keeps and a copy does not; 0 where
 *     the file system has none
 * @param formerExecutors ids of executors of the original whose attempts the database of a copy may
 *     still name; empty once the copy is detached
 */
record InstanceIdentity(
    String id, String machine, String directory, long inode, List<String> formerExecutors) {
  private static final String FILE = "instance.json";
  private static final List<Path> MACHINE_IDS =
      List.of(Path.of("/etc/machine-id"), Path.of("/var/lib/dbus/machine-id"));
  private static final ObjectMapper JSON = new ObjectMapper();

  InstanceIdentity {
    formerExecutors = formerExecutors == null ? List.of() : List.copyOf(formerExecutors);
  }

  /**
   * Reads the stored identity; null if there is none, as in a new directory or one of an earlier
   * version.
   *
   * @throws StartException if the file is damaged
   */
  static @Nullable InstanceIdentity read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    try {
      return JSON.readValue(Files.readAllBytes(file), InstanceIdentity.class);
    } catch (NoSuchFileException none) {
      return null;
    } catch (com.fasterxml.jackson.core.JacksonException damaged) {
      throw new StartException(
          file + " is damaged; delete it if " + directory + " is not a copy of another directory");
    }
  }

  /** Writes the identity of the instance that owns this directory, and returns it. */
  static InstanceIdentity write(Path directory, String id, List<String> formerExecutors)
      throws IOException {
    Path file = directory.resolve(FILE);
    Path made = file.resolveSibling(FILE + ".new");
    Files.deleteIfExists(made);
    Files.createFile(made);
    if (isPosix(made)) {
      Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
    }
    // The rename keeps the inode of this temporary file.
    InstanceIdentity identity =
        new InstanceIdentity(
            id, machineId(), directory.toRealPath().toString(), inode(made), formerExecutors);
    Files.write(made, JSON.writeValueAsBytes(identity));
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return identity;
  }

  static String newId() {
    return UUID.randomUUID().toString();
  }

  /**
   * The reason why {@code here} is a copy of the directory that this identity was written in; null
   * if it is that directory, possibly renamed.
   */
  @Nullable String copiedBecause(Path here) throws IOException {
    String present = machineId();
    if (!machine.isEmpty() && !present.isEmpty() && !machine.equals(present)) {
      return "it was made on another machine";
    }
    long found = inode(here.resolve(FILE));
    if (inode != 0 && found != 0 && inode != found) {
      return "its files were copied";
    }
    Path original = Path.of(directory);
    if (here.toRealPath().equals(original) || !Files.isDirectory(original)) {
      return null;
    }
    InstanceIdentity there = read(original);
    return there == null || !there.id.equals(id) || Files.isSameFile(here, original)
        ? null
        : "the original is still there";
  }

  /** Whether the directory was renamed after this identity was written. */
  boolean isMoved(Path here) throws IOException {
    return !here.toRealPath().toString().equals(directory);
  }

  private static long inode(Path file) throws IOException {
    return isPosix(file) ? (Long) Files.getAttribute(file, "unix:ino") : 0;
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  private static String machineId() throws IOException {
    for (Path file : MACHINE_IDS) {
      if (Files.isReadable(file)) {
        return Files.readString(file).strip();
      }
    }
    return "";
  }
}
