// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/** The file of the application role's password, which only our own user can read. */
record PasswordFile(ServerDirectory directory) {
  private static final int RANDOM_BYTES = 24;
  private static final Set<PosixFilePermission> OURS_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /** Letters, digits, minus and underscore, which need no quoting. */
  static String random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The password; empty if there is no file or it is empty. */
  Optional<String> read() throws IOException {
    Path file = directory.password();
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Files.setPosixFilePermissions(file, OURS_ONLY);
    String password = Files.readString(file).strip();
    return password.isEmpty() ? Optional.empty() : Optional.of(password);
  }

  /** Writes the file atomically, and at no time readable to others. */
  void write(String password) throws IOException {
    Path unfinished = directory.unfinished();
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OURS_ONLY))) {
      channel.write(ByteBuffer.wrap((password + "\n").getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
    }
    Files.move(unfinished, directory.password(), StandardCopyOption.ATOMIC_MOVE);
    ServerDirectory.forceEntries(directory.path());
  }
}
