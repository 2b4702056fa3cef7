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
 * Checks that a data directory is the original of its instance, and detaches a copy. It runs before
 * anything in the directory is used, because the records of processes there are valid for the
 * original only.
 */
final class InstanceCheck {
  private static final String EXECUTOR_ID = "executor-id";

  private final Path directory;

  InstanceCheck(Path directory) {
    this.directory = directory;
  }

  /**
   * The identity of the directory's instance; created if there is none.
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
    // A crash may have interrupted the detachment after the new identity was written.
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
   * Deletes files that only the original may use: records of its processes, its name as holder of
   * the lease, its token. The executor's id goes last, since its absence means that all is done.
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
