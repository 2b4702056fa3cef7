// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

  /** The script that shows what the address of a page says. */
  private static final String FRAME = "app.js";

  /** Stand in the page for the folder of this version, and for the links to its scripts. */
  private static final String FOLDER = "{assets}/";

  private static final String SCRIPTS = "{scripts}";
  private static final int DIGEST_BYTES = 10;
  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

  private final String folder;
  private final Map<String, ConsoleFile> files = new TreeMap<>();
  private final Map<String, ConsoleFile> pages = new TreeMap<>();
  private final String policy;

  private ConsoleFiles(Map<String, byte[]> read, String page, Collection<String> scripts) {
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
    this.policy = policy(page.replace(FOLDER, folder));
    ModuleImports imports = new ModuleImports(read, page);
    for (String script : scripts) {
      Set<String> loaded = imports.closure(FRAME);
      loaded.addAll(imports.closure(script));
      String text = page.replace(SCRIPTS, preloads(loaded)).replace(FOLDER, folder);
      pages.put(script, ConsoleFile.of(PAGE, text.getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static String preloads(Set<String> scripts) {
    return scripts.stream()
        .map(script -> "<link rel=\"modulepreload\" href=\"" + FOLDER + script + "\">")
        .collect(Collectors.joining("\n"));
  }

  /**
   * Reads the files that the class path has.
   *
   * @param scripts of the pages
   */
  static ConsoleFiles read(Collection<String> scripts) {
    Map<String, byte[]> read = new TreeMap<>();
    new String(bytes(LIST), StandardCharsets.UTF_8)
        .lines()
        .filter(name -> !name.isBlank())
        .forEach(name -> read.put(name, bytes(name)));
    return new ConsoleFiles(read, new String(bytes(PAGE), StandardCharsets.UTF_8), scripts);
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

  /** Returns the page that names the script that an address needs besides those of all pages. */
  ConsoleFile page(String script) {
    return Objects.requireNonNull(pages.get(script), script);
  }

  /** Returns the content security policy of the page. */
  String policy() {
    return policy;
  }
}
