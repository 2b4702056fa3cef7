// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.console;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the scripts of the console import, so that a page can name all of its scripts at once: a
 * browser finds them one after another otherwise, by a request for each level of imports.
 */
final class ModuleImports {
  /** The name after {@code from}. A text with that word may look the same, which does no harm. */
  private static final Pattern IMPORT = Pattern.compile("\\bfrom\\s*\"([\\w@./-]+)\"");

  /** An entry of an import map: a name, and the file below the folder of the console. */
  private static final Pattern MAPPED = Pattern.compile("\"([^\"]+)\": \"\\{assets}/([^\"]+)\"");

  private final Map<String, byte[]> files;
  private final Map<String, String> mapped = new TreeMap<>();
  private final Map<String, List<String>> imports = new HashMap<>();

  /**
   * The imports of files.
   *
   * @param files by their paths
   * @param page has the import map
   */
  ModuleImports(Map<String, byte[]> files, String page) {
    this.files = files;
    MAPPED.matcher(page).results().forEach(found -> mapped.put(found.group(1), found.group(2)));
  }

  /**
   * A script and what it imports, directly or not, in the order in which it is found.
   *
   * @throws IllegalStateException if there is no such script
   */
  Set<String> closure(String script) {
    Set<String> found = new LinkedHashSet<>();
    follow(script, found);
    if (found.isEmpty()) {
      throw new IllegalStateException("the console has no file " + script);
    }
    return found;
  }

  private void follow(String script, Set<String> found) {
    byte[] text = files.get(script);
    if (text != null && found.add(script)) {
      imports
          .computeIfAbsent(script, any -> imported(script, text))
          .forEach(name -> follow(name, found));
    }
  }

  /** The files that a script imports by its own text. */
  private List<String> imported(String script, byte[] text) {
    return IMPORT
        .matcher(new String(text, StandardCharsets.UTF_8))
        .results()
        .map(match -> file(script, match.group(1)))
        .toList();
  }

  /** The file that a script imports by a name. */
  private String file(String script, String name) {
    String file = mapped.get(name);
    return file == null ? URI.create(script).resolve(name).toString() : file;
  }
}
