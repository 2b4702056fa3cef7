// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.local.isolation.Confinement;
import io.sluice.scheduler.execution.local.isolation.JobIsolation;
import io.sluice.scheduler.execution.local.process.Platform;
import io.sluice.scheduler.execution.local.process.Tool;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The working directories of pods: {@code JOB/INDEX/ATTEMPT/POD}. A discarded directory vanishes
 * from its path at once and from the disk a little later. Its content is removed as the account
 * that owns it, so a link in it cannot lead to files of the server.
 */
public final class WorkDirectories {
  private static final Logger LOG = System.getLogger(WorkDirectories.class.getName());

  /** Holds one folder per attempt, of any name, with the folders of its pods. */
  private static final String DISCARDED = ".discarded";

  /** Empties a pod's folder; makes it readable first if the pod removed that permission. */
  private static final String EMPTY =
      "rm -rf -- \"$1\" 2>/dev/null; [ -z \"$(ls -A -- \"$1\" 2>&1)\" ]"
          + " || { chmod -R u+rwx -- \"$1\"; rm -rf -- \"$1\"; }";

  /** Time of change of a progress or checkpoint file that was never written. */
  public static final FileTime NO_PROGRESS = FileTime.fromMillis(0);

  private static final Duration EMPTY_LIMIT = Duration.ofMinutes(10);

  private final Path directory;
  private final Path discarded;
  private final Platform platform;
  private final JobIsolation isolation;
  private final Executor remover;
  private final AtomicBoolean removalAsked = new AtomicBoolean();

  /**
   * Opens the working directories below a directory.
   *
   * @param remover runs slow removals
   */
  WorkDirectories(Path directory, Platform platform, JobIsolation isolation, Executor remover)
      throws IOException {
    this.directory = directory;
    this.discarded = directory.resolve(DISCARDED);
    this.platform = platform;
    this.isolation = isolation;
    this.remover = remover;
    PrivateFiles.createPassable(discarded);
  }

  /**
   * Creates an empty directory of a pod, and its files.
   *
   * @param confinement names the account that runs the pod and becomes the owner
   */
  public Path create(AttemptKey attempt, String pod, Confinement confinement) throws IOException {
    AttemptFolder folder = AttemptFolder.in(directory, attempt);
    Path own = folder.attempt().resolve(pod);
    synchronized (this) { // else a discard may remove the empty folders in between
      folder.createPassable();
      if (Files.isDirectory(own)) {
        Path place = newDiscarded();
        PrivateFiles.createPassable(place);
        Files.move(own, place.resolve(pod));
      }
      PrivateFiles.create(own);
    }
    confinement.own(own);
    for (Path file : List.of(progressFile(own), checkpointFile(own), outputFile(own))) {
      Files.deleteIfExists(file);
      Files.createFile(file, PrivateFiles.forOwner());
      Files.setLastModifiedTime(file, NO_PROGRESS);
      confinement.own(file);
    }
    return own;
  }

  /** Returns the user id of the account that runs an attempt; empty if no pod has a directory. */
  public OptionalInt user(AttemptKey attempt) {
    for (Path pod : entries(AttemptFolder.in(directory, attempt).attempt())) {
      try {
        return OptionalInt.of(
            (Integer) Files.getAttribute(pod, "unix:uid", LinkOption.NOFOLLOW_LINKS));
      } catch (IOException | UnsupportedOperationException unknown) {
        // Another entry may have it.
      }
    }
    return OptionalInt.empty();
  }

  /** Returns the file to which a pod writes its checkpoint. */
  public Path checkpointFile(AttemptKey attempt, String pod) {
    return checkpointFile(AttemptFolder.in(directory, attempt).attempt().resolve(pod));
  }

  /** Returns it for a pod's directory; it is beside that directory, as the progress file. */
  public static Path checkpointFile(Path ofPod) {
    return ofPod.resolveSibling(ofPod.getFileName() + ".checkpoint");
  }

  /** Returns the file to which a pod writes its output. */
  public Path outputFile(AttemptKey attempt, String pod) {
    return outputFile(AttemptFolder.in(directory, attempt).attempt().resolve(pod));
  }

  /** Returns it for a pod's directory; it is beside that directory, as the progress file. */
  public static Path outputFile(Path ofPod) {
    return ofPod.resolveSibling(ofPod.getFileName() + ".output");
  }

  /** Returns the file with which a pod reports progress. */
  public Path progressFile(AttemptKey attempt, String pod) {
    return progressFile(AttemptFolder.in(directory, attempt).attempt().resolve(pod));
  }

  /**
   * Returns it for a pod's directory. The file is beside the directory, since the pod could replace
   * one inside.
   */
  public static Path progressFile(Path ofPod) {
    return ofPod.resolveSibling(ofPod.getFileName() + ".progress");
  }

  /** Discards the directories of an attempt. */
  public synchronized void discard(AttemptKey attempt) {
    discard(AttemptFolder.in(directory, attempt));
    requestRemoval();
  }

  /** Discards the directories of all other attempts. */
  public synchronized void discardAllBut(Collection<AttemptKey> kept) {
    Set<Path> places = new HashSet<>();
    kept.forEach(attempt -> places.add(AttemptFolder.in(directory, attempt).attempt()));
    for (Path job : entries(directory)) {
      if (!job.equals(discarded)) {
        for (Path index : entries(job)) {
          entries(index).stream()
              .filter(attempt -> !places.contains(attempt))
              .forEach(attempt -> discard(new AttemptFolder(job, index, attempt)));
        }
      }
    }
    requestRemoval();
  }

  private void discard(AttemptFolder folder) {
    try {
      Files.move(folder.attempt(), newDiscarded());
      folder.removeSurroundings();
    } catch (NoSuchFileException nothing) {
      // None of its pods got a directory.
    } catch (IOException failed) {
      LOG.log(
          Level.WARNING, "Working directory " + folder.attempt() + " was not removed: " + failed);
    }
  }

  private void requestRemoval() {
    if (removalAsked.compareAndSet(false, true)) {
      remover.execute(
          () -> {
            removalAsked.set(false);
            entries(discarded).forEach(this::remove);
          });
    }
  }

  private void remove(Path attempt) {
    try {
      for (Path pod : entries(attempt)) {
        if (!removedEmpty(pod)) {
          Tool.run(
              isolation.asOwner(
                  pod,
                  List.of(
                      platform.shell().toString(),
                      "-c",
                      EMPTY,
                      platform.shell().toString(),
                      pod.toString())),
              EMPTY_LIMIT);
          Files.deleteIfExists(pod);
        }
      }
      Files.deleteIfExists(attempt);
    } catch (IOException failed) {
      // The next discard tries again.
      LOG.log(
          Level.INFO, "Discarded working directory " + attempt + " was not removed yet: " + failed);
    }
  }

  private static boolean removedEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
      return true;
    } catch (DirectoryNotEmptyException filled) {
      return false;
    }
  }

  private static List<Path> entries(Path folder) {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    } catch (IOException failed) {
      LOG.log(Level.WARNING, "Working directory " + folder + " cannot be read: " + failed);
    }
    return entries;
  }

  private Path newDiscarded() {
    return discarded.resolve(UUID.randomUUID().toString());
  }
}
