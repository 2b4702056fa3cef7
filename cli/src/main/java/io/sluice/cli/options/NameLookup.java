// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.TextTable;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the object that a user names: by {@code NAME}, {@code NAMESPACE/NAME} or id, each with or
 * without {@code KIND/} before it. The server resolves the name within the rights of the caller.
 */
public final class NameLookup {
  /** The accepted forms of a job's name. */
  public static final String JOB_FORMS = "NAME, NAMESPACE/NAME, ID or job/ID.";

  private final ServerClient client;
  private final @Nullable String namespace;

  /**
   * Creates a lookup.
   *
   * @param namespace null: the user gave none
   */
  public NameLookup(ServerClient client, @Nullable String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** Why an object is looked up. */
  public enum Purpose {
    /** To show the object: a name means the newest of its namespace. */
    READ,
    /** To change the object: a name means the live one. */
    CHANGE
  }

  /**
   * Finds the object: {@code kind}, {@code namespace}, {@code name}, and where the kind has them
   * {@code id} and {@code state}.
   *
   * @throws RefusedException if there is none, or if the name is ambiguous: the message lists the
   *     candidates
   */
  public JsonNode find(NamedKind kind, String written, Purpose purpose) {
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("name", withoutKind(kind, written));
    parameters.put("namespace", namespace);
    parameters.put("purpose", purpose == Purpose.CHANGE ? "change" : null);
    try {
      JsonNode found = client.get(ServerClient.query("/v1/names/" + kind.word(), parameters));
      if (found.has("otherLiveJobs")) {
        System.err.printf(
            "sluice: this is the newest job named %s, %s; %s live jobs of namespace %s have the"
                + " name, too%n",
            found.path("name").asText(),
            found.path("id").asText(),
            found.path("otherLiveJobs").asText(),
            found.path("namespace").asText());
      }
      return found;
    } catch (RefusedException refused) {
      if (refused.problem().has("candidates")) {
        throw refused.withMessage(ambiguity(refused.problem(), Instant.now()));
      }
      throw refused;
    }
  }

  /** Finds the object as {@link #find} does, or returns null if there is none. */
  public @Nullable JsonNode findOrNull(NamedKind kind, String written, Purpose purpose) {
    try {
      return find(kind, written, purpose);
    } catch (RefusedException refused) {
      if (refused.absent()) {
        return null;
      }
      throw refused;
    }
  }

  /** Returns the name without its kind, which may be singular or plural. */
  public static String withoutKind(NamedKind kind, String written) {
    for (String prefix : new String[] {kind.word() + "/", kind.word() + "s/"}) {
      // Names of schedules contain a slash themselves.
      boolean whole =
          kind != NamedKind.SCHEDULE || written.indexOf('/', prefix.length()) > prefix.length();
      if (written.startsWith(prefix) && whole) {
        return written.substring(prefix.length());
      }
    }
    return written;
  }

  private static String ambiguity(JsonNode problem, Instant now) {
    TextTable table = new TextTable("  NAMESPACE/NAME", "ID", "STATE", "AGE");
    for (JsonNode candidate : problem.path("candidates")) {
      table.add(
          "  " + candidate.path("namespace").asText() + "/" + candidate.path("name").asText(),
          candidate.path("id").asText("-"),
          candidate.path("state").asText("-"),
          Age.of(candidate.path("createdAt").asText(), now));
    }
    return problem.path("detail").asText()
        + System.lineSeparator()
        + String.join(System.lineSeparator(), table.lines());
  }
}
