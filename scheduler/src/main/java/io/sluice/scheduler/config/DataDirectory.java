// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The data directory of a server, locked while it runs: no second server starts on it.
 *
 * <p>Other accounts may traverse it (mode 0711), since the accounts that run the database and the
 * jobs use directories below it, but they cannot list it.
 */
public final class DataDirectory implements AutoCloseable {
  private static final String LOCK = "server.lock";
  static final String HOLDER = "holder";
  private static final String ADDRESS = "server.json";
  private static final String STARTING = "starting.json";
  private static final String CERTIFICATES = "server.crt";
  static final String TOKEN = "token";

  /**
   * Marks a directory that a restore is filling; where it remains, the restore did not complete.
   */
  private static final String UNFINISHED = "restore-unfinished";

  private static final int TOKEN_BYTES = 32;
  private static final int PEM_COLUMNS = 64;
  private static final String TOKEN_MODE = "rw-------";
  private static final String MODE = "rwx--x--x";

  private final Path directory;
  private final FileChannel channel;
  private final FileLock lock;
  private InstanceIdentity instance;

  private DataDirectory(
      Path directory, FileChannel channel, FileLock lock, InstanceIdentity instance) {
    this.directory = directory;
    this.channel = channel;
    this.lock = lock;
    this.instance = instance;
  }

  /**
   * Locks the directory, and creates it if it does not exist.
   *
   * @param asCopy whether a copy of another directory is to become an instance of its own
   * @throws StartException if it cannot be written, another server uses it, or it is a copy that is
   *     not to be detached
   */
  public static DataDirectory take(Path directory, boolean asCopy) {
    if (Files.exists(directory.resolve(UNFINISHED))) {
      throw new StartException(
          "the restore into %s is incomplete: delete the directory and restore again"
              .formatted(directory));
    }
    return takeHere(directory, asCopy);
  }

  /**
   * Locks a new directory for a restore. {@link #take} refuses it until {@link #finish}.
   *
   * @throws StartException if it cannot be written or another server uses it
   */
  public static DataDirectory takeUnfinished(Path directory) {
    DataDirectory taken = takeHere(directory, false);
    try {
      Files.createFile(taken.path().resolve(UNFINISHED));
      return taken;
    } catch (IOException failure) {
      taken.close();
      throw new StartException("cannot write " + directory + ": " + reason(failure));
    }
  }

  /** Marks the restore into the directory as complete. */
  public void finish() {
    try {
      Files.delete(directory.resolve(UNFINISHED));
    } catch (IOException failure) {
      throw new StartException("cannot write " + directory + ": " + reason(failure));
    }
  }

  private static DataDirectory takeHere(Path directory, boolean asCopy) {
    Path absolute = directory.toAbsolutePath().normalize();
    FileChannel channel = null;
    try {
      if (!Files.isDirectory(absolute)) {
        Files.createDirectories(absolute);
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
          Files.setPosixFilePermissions(absolute, PosixFilePermissions.fromString(MODE));
        }
      }
      channel =
          FileChannel.open(
              absolute.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new StartException("another server has the data directory " + absolute);
      }
      // The address found here is stale, or that of the copy's original.
      Files.deleteIfExists(absolute.resolve(ADDRESS));
      Files.deleteIfExists(absolute.resolve(CERTIFICATES));
      DataDirectory taken =
          new DataDirectory(absolute, channel, lock, new InstanceCheck(absolute).confirm(asCopy));
      taken.announceStart();
      return taken;
    } catch (StartException refused) {
      closeQuietly(channel);
      throw refused;
    } catch (IOException failure) {
      closeQuietly(channel);
      throw new StartException(
          "cannot write the data directory " + absolute + ": " + reason(failure));
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException sameProcess) {
      return null;
    }
  }

  private static String reason(IOException failure) {
    return failure.getClass().getSimpleName().replace("Exception", "") + " " + failure.getMessage();
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException ignored) {
        // The earlier error is the one to report.
        return;
      }
    }
  }

  public Path path() {
    return directory;
  }

  /**
   * Ids of the executors of the original, if this directory is a copy; empty after {@link
   * #detached}.
   */
  public List<String> formerExecutors() {
    return instance.formerExecutors();
  }

  /** Records that the database no longer names the executors of the original. */
  public void detached() {
    try {
      instance = InstanceIdentity.write(directory, instance.id(), List.of());
    } catch (IOException failure) {
      throw new StartException("cannot write " + directory + ": " + reason(failure));
    }
  }

  /** The directory of the embedded database. */
  public Path postgres() {
    return directory.resolve("postgres");
  }

  /**
   * The server's log, in a folder that is closed to other accounts; it is rotated there.
   *
   * @throws StartException if the folder cannot be created
   */
  public static Path log(Path directory) {
    Path folder = directory.resolve("log");
    try {
      Files.createDirectories(folder);
      if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      }
      return folder.resolve("server.log");
    } catch (IOException failure) {
      throw new StartException("cannot write " + folder + ": " + reason(failure));
    }
  }

  /** The directory of job processes, with their logs and records. */
  public static Path executor(Path directory) {
    return directory.resolve("executor");
  }

  /**
   * The administrator's token, for everyone who can read the directory's files; created if it does
   * not exist.
   *
   * @throws StartException if it can be neither read nor created
   */
  public static String token(Path directory) {
    Path file = directory.resolve(TOKEN);
    try {
      if (!Files.exists(file)) {
        makeToken(file);
      }
      restrict(file);
      String token = Files.readString(file, StandardCharsets.US_ASCII).strip();
      if (token.isEmpty()) {
        throw new StartException(file + " is empty; delete it, and a new token is made");
      }
      return token;
    } catch (IOException failure) {
      throw new StartException("cannot read the token " + file + ": " + reason(failure));
    }
  }

  private static void makeToken(Path file) throws IOException {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    Path made = file.resolveSibling(TOKEN + ".new");
    Files.deleteIfExists(made);
    Files.createFile(made);
    restrict(made);
    Files.writeString(
        made,
        Base64.getUrlEncoder().withoutPadding().encodeToString(random) + System.lineSeparator(),
        StandardCharsets.US_ASCII);
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void restrict(Path file) throws IOException {
    if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(TOKEN_MODE));
    }
  }

  /**
   * The name of this directory's server as holder of the lease, the same after each restart.
   * Created once; it contains the machine's name and the path, so a copy of the directory is
   * another holder.
   *
   * @throws StartException if it cannot be read or written
   */
  public static String holder(Path directory) {
    Path file = directory.resolve(HOLDER);
    try {
      if (!Files.exists(file)) {
        Path made = directory.resolve(HOLDER + ".new");
        Files.writeString(made, UUID.randomUUID().toString(), StandardCharsets.UTF_8);
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
      }
      String id = Files.readString(file, StandardCharsets.UTF_8).strip();
      return id + " " + machine() + ":" + directory.toRealPath();
    } catch (IOException failure) {
      throw new StartException("cannot read " + file + ": " + reason(failure));
    }
  }

  /** The machine's name; a machine can have one that nothing resolves, or none. */
  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unresolved) {
      return "localhost";
    }
  }

  /**
   * Writes a file which says that a server is starting, so that clients on this machine wait for
   * it.
   */
  private void announceStart() throws IOException {
    write(STARTING, "{\"pid\":%d}%n".formatted(ProcessHandle.current().pid()));
  }

  /** Writes the server's address, for clients on this machine. */
  public void announce(String url) throws IOException {
    write(ADDRESS, "{\"url\":\"%s\",\"pid\":%d}%n".formatted(url, ProcessHandle.current().pid()));
    Files.deleteIfExists(directory.resolve(STARTING));
  }

  /**
   * Writes the certificates of the server, for clients on this machine: these trust no others.
   *
   * @throws StartException if the directory cannot be written
   */
  public static void announceCertificates(Path directory, List<X509Certificate> certificates) {
    StringBuilder pem = new StringBuilder();
    Base64.Encoder encoder = Base64.getMimeEncoder(PEM_COLUMNS, new byte[] {'\n'});
    try {
      for (X509Certificate certificate : certificates) {
        pem.append("-----BEGIN CERTIFICATE-----\n")
            .append(encoder.encodeToString(certificate.getEncoded()))
            .append("\n-----END CERTIFICATE-----\n");
      }
      write(directory, CERTIFICATES, pem.toString());
    } catch (IOException | CertificateEncodingException failure) {
      throw new StartException("cannot write %s: %s".formatted(directory, failure.getMessage()));
    }
  }

  private void write(String name, String text) throws IOException {
    write(directory, name, text);
  }

  /** Replaces a file atomically: readers see the former text or all of the new one. */
  private static void write(Path directory, String name, String text) throws IOException {
    Path made = directory.resolve(name + ".new");
    Files.writeString(made, text, StandardCharsets.UTF_8);
    Files.move(
        made,
        directory.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Unlocks the directory, once. */
  @Override
  public synchronized void close() {
    try {
      if (channel.isOpen()) {
        Files.deleteIfExists(directory.resolve(ADDRESS));
        Files.deleteIfExists(directory.resolve(CERTIFICATES));
        Files.deleteIfExists(directory.resolve(STARTING));
        lock.release();
        channel.close();
      }
    } catch (IOException failure) {
      throw new StartException("cannot unlock " + directory + ": " + reason(failure));
    }
  }
}
