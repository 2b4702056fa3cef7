// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console, some 500 KiB, as the module {@code console} has them. Their folder is
 * named by a digest of them all, so that a browser may keep them forever.
 */
final class ConsoleFiles {
  private static final String ROOT = "/io/sluice/console/";

  /** Lists the other files, one a line. The build of the module writes it. */
  private static final String LIST = "files.txt";

  private static final String PAGE = "index.html";
  private static final int DIGEST_BYTES = 10;
  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

  private final String folder;
  private final Map<String, ConsoleFile> files = new TreeMap<>();
  private final ConsoleFile page;
  private final String policy;

  private ConsoleFiles(Map<String, byte[]> read, String page) {
    MessageDigest all = sha256();
    read.forEach(
        (name, bytes) -> {
          all.update((name + "\n" + bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
          all.update(bytes);
          files.put(name, ConsoleFile.of(name, bytes));
        });
    all.update(page.getBytes(StandardCharsets.UTF_8));
    String digest = HexFormat.of().formatHex(all.digest(), 0, DIGEST_BYTES);
    this.folder = ConsoleRoutes.ASSETS + digest + "/";
    String text = page.replace("{assets}/", folder);
    this.page = ConsoleFile.of(PAGE, text.getBytes(StandardCharsets.UTF_8));
    this.policy = policy(text);
  }

  /** Reads the files that the class path has. */
  static ConsoleFiles read() {
    Map<String, byte[]> read = new TreeMap<>();
    new String(bytes(LIST), StandardCharsets.UTF_8)
        .lines()
        .filter(name -> !name.isBlank())
        .forEach(name -> read.put(name, bytes(name)));
    return new ConsoleFiles(read, new String(bytes(PAGE), StandardCharsets.UTF_8));
  }

  private static byte[] bytes(String name) {
    try (InputStream in = ConsoleFiles.class.getResourceAsStream(ROOT + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Returns the content security policy of the page. The one script within the page is its import
   * map, which a page cannot load from elsewhere; the policy has its hash.
   */
  private static String policy(String page) {
    Matcher map = IMPORT_MAP.matcher(page);
    if (!map.find()) {
      throw new IllegalStateException(PAGE + " has no import map");
    }
    byte[] hash = sha256().digest(map.group(1).getBytes(StandardCharsets.UTF_8));
    return "default-src 'none'; script-src 'self' 'sha256-%s'; worker-src 'self'; style-src 'self';"
            .formatted(Base64.getEncoder().encodeToString(hash))
        + " img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none';"
        + " form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script';"
        + " trusted-types sluice";
  }

  /** Returns the path of the folder of this version, with a slash at its end. */
  String folder() {
    return folder;
  }

  /** Returns the file at a path; null if there is none. */
  @Nullable ConsoleFile at(String path) {
    return path.startsWith(folder) ? files.get(path.substring(folder.length())) : null;
  }

  /** Returns the page of all addresses: its script shows what the address says. */
  ConsoleFile page() {
    return page;
  }

  /** Returns the content security policy of the page. */
  String policy() {
    return policy;
  }
}
