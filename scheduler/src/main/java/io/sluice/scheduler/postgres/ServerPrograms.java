// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs, unpacked from the archive on the class path. They belong to us; the
 * server's account only reads them.
 *
 * @param home has bin, lib and share below it
 */
record ServerPrograms(Path home) {
  private static final String CONTENTS = "contents";
  private static final int BUFFER_BYTES = 64 * 1024;

  /** Files that only builds of extensions need. */
  private static final Pattern NOT_NEEDED =
      Pattern.compile(
          "(include|doc|man|share/(doc|man)|lib/pkgconfig|lib/postgresql/pgxs)(/.*)?|.*\\.a");

  /**
   * Finds the programs in the directory, or unpacks them under a temporary name and renames them
   * when complete. Existing programs are compared with the list written then: a crash of the
   * machine can leave files empty, because syncing them one by one may take seconds.
   *
   * @throws PostgresStartException if the class path has none for this platform
   */
  static ServerPrograms provide(ServerDirectory directory) throws IOException {
    return provide(directory, archiveName());
  }

  static ServerPrograms provide(ServerDirectory directory, String archiveName) throws IOException {
    URL archive = ServerPrograms.class.getClassLoader().getResource(archiveName);
    if (archive == null) {
      throw new PostgresStartException(
          "no PostgreSQL for this platform is built in ("
              + archiveName
              + " is not on the class path): build on this platform, or name a PostgreSQL of your"
              + " own with --database");
    }
    Path home = directory.binaries(String.format("%08x", checksum(archive)));
    if (!isComplete(home)) {
      Path unfinished = directory.unfinished();
      unpack(archive, unfinished);
      Files.writeString(unfinished.resolve(CONTENTS), contents(unfinished));
      if (Files.exists(home)) {
        ServerDirectory.deleteTree(home);
      }
      Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
    }
    return new ServerPrograms(home);
  }

  /** The archive's name by the convention of its publisher. */
  static String archiveName() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return String.format(
        "postgres-%s-%s.txz",
        system.startsWith("mac") ? "darwin" : system,
        switch (machine) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> machine;
        });
  }

  String initdb() {
    return program("initdb");
  }

  String postgres() {
    return program("postgres");
  }

  String pgCtl() {
    return program("pg_ctl");
  }

  /** The major version: data directories are compatible within it. */
  String majorVersion() throws IOException {
    Path catalogue = home.resolve("share/postgresql/postgres.bki");
    try (Stream<String> lines = Files.lines(catalogue)) {
      // "# PostgreSQL 17"
      return lines.findFirst().orElse("").replaceFirst("^# PostgreSQL +", "").strip();
    }
  }

  private String program(String name) {
    return home.resolve("bin").resolve(name).toString();
  }

  /**
   * The CRC-32 of the archive, which identifies its version. A jar has it in its table of contents;
   * any other archive is read.
   */
  private static long checksum(URL archive) throws IOException {
    URLConnection connection = archive.openConnection();
    connection.setUseCaches(false);
    if (connection instanceof JarURLConnection inJar) {
      try (JarFile jar = inJar.getJarFile()) {
        return Objects.requireNonNull(jar.getEntry(inJar.getEntryName())).getCrc();
      }
    }
    CRC32 crc = new CRC32();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = connection.getInputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        crc.update(buffer, 0, n);
      }
    }
    return crc.getValue();
  }

  private static boolean isComplete(Path home) throws IOException {
    Path list = home.resolve(CONTENTS);
    return Files.exists(list)
        && Arrays.equals(Files.readAllBytes(list), contents(home).getBytes(StandardCharsets.UTF_8));
  }

  /** All files with their sizes, ordered by name. */
  private static String contents(Path home) throws IOException {
    SortedMap<String, Long> sizes = new TreeMap<>();
    Files.walkFileTree(
        home,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sizes.put(home.relativize(file).toString(), attributes.size());
            return FileVisitResult.CONTINUE;
          }
        });
    sizes.remove(CONTENTS);
    return sizes.entrySet().stream()
        .map(file -> file.getValue() + " " + file.getKey() + "\n")
        .collect(Collectors.joining());
  }

  private static void unpack(URL archive, Path target) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    URLConnection connection = archive.openConnection();
    connection.setUseCaches(false);
    try (InputStream packed = new BufferedInputStream(connection.getInputStream(), BUFFER_BYTES);
        TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(packed))) {
      createDirectory(target);
      for (@Nullable TarArchiveEntry entry = tar.getNextEntry();
          entry != null;
          entry = tar.getNextEntry()) {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
          throw new IOException("the archive has an entry outside of it: " + entry.getName());
        }
        if (!NOT_NEEDED.matcher(target.relativize(path).toString()).matches()) {
          write(tar, entry, path, buffer);
        }
      }
    }
  }

  private static void write(
      TarArchiveInputStream tar, TarArchiveEntry entry, Path path, byte[] buffer)
      throws IOException {
    if (entry.isDirectory()) {
      createDirectory(path);
      return;
    }
    createDirectory(path.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
      return;
    }
    if (!entry.isFile()) {
      throw new IOException("the archive has an entry of another kind: " + entry.getName());
    }
    boolean executable = (entry.getMode() & 0100) != 0;
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int n = tar.read(buffer); n >= 0; n = tar.read(buffer)) {
        ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, n);
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
      }
      // Explicitly, because the process's umask may lock the server's account out.
      Files.setPosixFilePermissions(
          path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }

  private static void createDirectory(@Nullable Path directory) throws IOException {
    if (directory == null || Files.isDirectory(directory)) {
      return;
    }
    createDirectory(directory.getParent());
    Files.createDirectory(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
