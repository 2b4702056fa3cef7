// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.client.UnexpectedAnswerException;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.administration.NamedObject;
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

  private static final String NAMES = "/v1/names/";

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
   * Finds the object.
   *
   * @throws RefusedException if there is none, or if the name is ambiguous: the message lists the
   *     candidates
   */
  public NamedObject find(NamedKind kind, String written, Purpose purpose) {
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("name", withoutKind(kind, written));
    parameters.put("namespace", namespace);
    parameters.put("purpose", purpose == Purpose.CHANGE ? "change" : null);
    try {
      NamedObject found =
          client.get(ServerClient.query(NAMES + kind.word(), parameters), NamedObject.class);
      if (found.otherLiveJobs() != null) {
        System.err.printf(
            "sluice: this is the newest job named %s, %s; %s live jobs of namespace %s have the"
                + " name, too%n",
            found.name(), id(found), found.otherLiveJobs(), found.namespace());
      }
      return found;
    } catch (RefusedException refused) {
      if (refused.problem().has("candidates")) {
        throw refused.withMessage(ambiguity(refused.problem(), Instant.now()));
      }
      throw refused;
    }
  }

  /** Returns the id of an object that {@link #find} finds, of a kind that has ids. */
  public String id(NamedKind kind, String written, Purpose purpose) {
    return id(find(kind, written, purpose));
  }

  /** Returns the id of an object whose kind has ids. */
  public static String id(NamedObject found) {
    return required(found.id(), "id");
  }

  /** Returns the state of an object whose kind has states. */
  public static String state(NamedObject found) {
    return required(found.state(), "state");
  }

  private static String required(@Nullable String value, String field) {
    if (value == null) {
      throw new UnexpectedAnswerException(NAMES, field, "it is absent");
    }
    return value;
  }

  /** Finds the object as {@link #find} does, or returns null if there is none. */
  public @Nullable NamedObject findOrNull(NamedKind kind, String written, Purpose purpose) {
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
    for (JsonNode one : problem.path("candidates")) {
      NamedObject candidate = JsonRecords.read(one, NamedObject.class, NAMES);
      table.add(
          "  " + candidate.namespace() + "/" + candidate.name(),
          Cell.orDash(candidate.id()),
          Cell.orDash(candidate.state()),
          Age.of(candidate.createdAt(), now));
    }
    return problem.path("detail").asText()
        + System.lineSeparator()
        + String.join(System.lineSeparator(), table.lines());
  }
}
