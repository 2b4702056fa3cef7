// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file of callers. Each line has five words: name, role, namespaces separated by commas ({@code
 * *}: all, {@code -}: none), expiry in UTC ({@code -}: never), and {@code sha256:} with the digest
 * of the token. Empty lines and lines that begin with {@code #} are ignored.
 */
public final class TokensFile {
  /** A larger file is taken for a mistake. */
  static final int LINES_MAX = 10_000;

  private static final long BYTES_MAX = 4L << 20;
  private static final int WORDS = 5;
  private static final String NONE = "-";
  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final Pattern COMMA = Pattern.compile(",");
  private static final Pattern DIGEST = Pattern.compile("sha256:([0-9a-f]{64})");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9@._-]{0,99}");

  private TokensFile() {}

  /**
   * Checks that the file can be read.
   *
   * @throws InvalidValueException naming file, line and value, if it cannot
   */
  public static void check(Path file) {
    read(file);
  }

  /**
   * Reads the file.
   *
   * @throws InvalidValueException naming file, line and value, if it cannot be read or is invalid
   */
  static List<TokenGrant> read(Path file) {
    List<String> lines;
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new InvalidValueException(file + " is larger than 4 MiB");
      }
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new InvalidValueException(
          "cannot read the tokens file " + file + ": " + failure.getClass().getSimpleName());
    }
    List<TokenGrant> grants = new ArrayList<>();
    TreeSet<String> names = new TreeSet<>();
    TreeSet<String> digests = new TreeSet<>();
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      try {
        TokenGrant grant = grant(line);
        if (!names.add(grant.caller().name()) || !digests.add(grant.digest())) {
          throw new InvalidValueException(
              "name and token must be of this line only: " + grant.caller().name());
        }
        grants.add(grant);
      } catch (InvalidValueException wrong) {
        throw new InvalidValueException(file + ", line " + number + ": " + wrong.getMessage());
      }
    }
    if (grants.size() > LINES_MAX) {
      throw new InvalidValueException(file + " has more than " + LINES_MAX + " callers");
    }
    return grants;
  }

  private static TokenGrant grant(String line) {
    String[] words = SPACES.split(line, -1);
    if (words.length != WORDS) {
      throw new InvalidValueException(
          "five words are needed (name role namespaces expires sha256:digest), there are "
              + words.length);
    }
    Caller caller = caller(words[0], words[1], words[2]);
    var digest = DIGEST.matcher(words[4]);
    if (!digest.matches()) {
      throw new InvalidValueException(
          "the last word must be sha256: and 64 hexadecimal digits, as ./sluice token line prints it");
    }
    return new TokenGrant(caller, digest.group(1), expiry(words[3]));
  }

  /**
   * Reads a caller from the words of a line.
   *
   * @throws InvalidValueException naming the word that is invalid
   */
  public static Caller caller(String name, String role, String namespaces) {
    if (!NAME.matcher(name).matches() || name.equals(Caller.SERVER.name())) {
      throw new InvalidValueException("no name for a caller: " + name);
    }
    Role parsed = Role.of(role);
    if (!parsed.isGivenAlone()) {
      throw new InvalidValueException(
          "the role " + role + " is given by a Team to its members, not by a token");
    }
    return new Caller(name, parsed, namespaces(namespaces, parsed));
  }

  private static List<String> namespaces(String word, Role role) {
    List<String> namespaces = word.equals(NONE) ? List.of() : List.of(COMMA.split(word, -1));
    if (role.needsNamespaces() && namespaces.isEmpty()) {
      throw new InvalidValueException(
          "the role " + role.word() + " needs namespaces, or * for all");
    }
    for (String namespace : namespaces) {
      if (!namespace.equals(Caller.ALL)) {
        checkNamespace(namespace);
      }
    }
    return namespaces;
  }

  private static void checkNamespace(String namespace) {
    try {
      Names.requireLabel(namespace);
    } catch (InvalidValueException wrong) {
      throw new InvalidValueException("namespace " + namespace + " " + wrong.getMessage());
    }
  }

  private static @Nullable Instant expiry(String word) {
    try {
      return word.equals(NONE) ? null : Instant.parse(word);
    } catch (DateTimeException unreadable) {
      throw new InvalidValueException(
          "expires must be - or a time as 2027-01-31T00:00:00Z, it is " + word);
    }
  }
}
