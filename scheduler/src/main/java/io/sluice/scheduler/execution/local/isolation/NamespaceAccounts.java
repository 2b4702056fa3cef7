// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The accounts of an executor's namespaces. They are in a file of the executor's directory and
 * never change; an id is of one namespace for as long as the directory exists. Thread-safe.
 */
final class NamespaceAccounts {
  private final DurableLines file;
  private final AccountClaims claims;
  private final AccountRange range;
  private final Map<String, Integer> ids = new LinkedHashMap<>();

  /**
   * Reads the accounts of an executor and renews its claims.
   *
   * @param file the file with lines {@code NAMESPACE ID}
   * @param range the ids for namespaces without one; those that have one keep it
   * @throws IOException if the file or the claims cannot be read or written
   */
  NamespaceAccounts(Path file, AccountClaims claims, AccountRange range) throws IOException {
    this.file = new DurableLines(file);
    this.claims = claims;
    this.range = range;
    Map<String, Integer> recorded = parse();
    Set<Integer> ours = new HashSet<>(claims.renew(List.copyOf(recorded.values())));
    recorded.forEach(
        (namespace, id) -> {
          if (ours.contains(id)) { // else this directory is a copy, and the original has the id
            ids.put(namespace, id);
          }
        });
  }

  private Map<String, Integer> parse() throws IOException {
    Map<String, Integer> recorded = new LinkedHashMap<>();
    Set<Integer> seen = new HashSet<>();
    for (String line : file.read()) {
      String[] words = line.split(" ", -1);
      try {
        Account account = account(Integer.parseInt(words[1]));
        if (words.length != 2 || !seen.add(account.userId())) {
          throw new IllegalArgumentException("two namespaces with one account");
        }
        recorded.put(words[0], account.userId());
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException damaged) {
        throw new IOException(file + " has a line that is no account: " + line, damaged);
      }
    }
    return recorded;
  }

  private static Account account(int id) {
    return new Account(id, id);
  }

  /** Returns the account of a namespace; assigns one if it has none. */
  synchronized Account of(String namespace) throws IsolationException {
    Integer known = ids.get(namespace);
    if (known != null) {
      return account(known);
    }
    try {
      OptionalInt claimed = claims.claim(range);
      if (claimed.isEmpty()) {
        throw new IsolationException(
            "all ids " + range + " for accounts of jobs are in use (add ids with --job-accounts)");
      }
      Map<String, Integer> next = new LinkedHashMap<>(ids);
      next.put(namespace, claimed.getAsInt());
      file.write(
          next.entrySet().stream().map(entry -> entry.getKey() + " " + entry.getValue()).toList());
      ids.put(namespace, claimed.getAsInt());
      return account(claimed.getAsInt());
    } catch (IOException failed) {
      throw new IsolationException(
          "no account could be assigned to namespace " + namespace + ": " + failed.getMessage());
    }
  }
}
