// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The check that a data directory is the one that its instance was made in, and the detachment of a
 * copy. It comes before anything of the directory is used: what the directory records of processes
 * is true for the original alone.
 */
final class InstanceCheck {
  private static final String EXECUTOR_ID = "executor-id";

  private final Path directory;

  InstanceCheck(Path directory) {
    this.directory = directory;
  }

  /**
   * The identity of the directory's instance, which is made if there is none.
   *
   * @param asCopy whether a copy is to become an instance of its own
   * @throws StartException if the directory is a copy and not to be detached
   */
  InstanceIdentity confirm(boolean asCopy) throws IOException {
    InstanceIdentity stored = InstanceIdentity.read(directory);
    String copied = stored == null ? null : stored.copiedBecause(directory);
    if (stored != null && copied != null && !asCopy) {
      throw new StartException(
          ("the data directory %s is a copy of %s, which another server may use (%s): use the"
                  + " original, or start with --as-copy to make the copy an instance of its own,"
                  + " in which attempts that were running count as lost and run again")
              .formatted(directory, stored.directory(), copied));
    }
    boolean unknownCopy = stored == null && asCopy && executorId() != null;
    if (copied != null || unknownCopy) {
      return detach(stored);
    }
    if (stored == null) {
      return InstanceIdentity.write(directory, InstanceIdentity.newId(), List.of());
    }
    // A crash may have come between the new identity and the end of the detachment.
    forgetOriginal(stored.formerExecutors());
    return stored.isMoved(directory)
        ? InstanceIdentity.write(directory, stored.id(), stored.formerExecutors())
        : stored;
  }

  private InstanceIdentity detach(@Nullable InstanceIdentity original) throws IOException {
    List<String> former = new ArrayList<>();
    if (original != null) {
      former.addAll(original.formerExecutors());
    }
    String executor = executorId();
    if (executor != null && !former.contains(executor)) {
      former.add(executor);
    }
    InstanceIdentity own =
        InstanceIdentity.write(directory, InstanceIdentity.newId(), List.copyOf(former));
    forgetOriginal(former);
    return own;
  }

  /**
   * Deletes what only the original may use: records of its processes, its name as a holder of the
   * lease, its token. The executor's id goes last, since its absence says that all is done.
   */
  private void forgetOriginal(List<String> formerExecutors) throws IOException {
    String executor = executorId();
    if (executor == null || !formerExecutors.contains(executor)) {
      return;
    }
    deleteTree(DataDirectory.executor(directory).resolve("attempts"));
    for (String name : List.of(DataDirectory.HOLDER, DataDirectory.TOKEN)) {
      Files.deleteIfExists(directory.resolve(name));
    }
    Files.delete(executorFile());
  }

  private Path executorFile() {
    return DataDirectory.executor(directory).resolve(EXECUTOR_ID);
  }

  private @Nullable String executorId() throws IOException {
    Path file = executorFile();
    return Files.exists(file) ? Files.readString(file).strip() : null;
  }

  private static void deleteTree(Path tree) throws IOException {
    if (!Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
  }
}
