// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quota.ObjectKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Answers whether a caller may do something to objects of a kind. */
public final class Permissions {
  private static final Set<String> READING = Set.of("get", "list", "watch");
  private static final Set<String> WRITING = Set.of("create", "update", "apply", "delete");
  private static final Set<ObjectKind> OF_TEAMS =
      Set.of(ObjectKind.COHORT, ObjectKind.CLUSTER_QUEUE, ObjectKind.LOCAL_QUEUE);

  /**
   * What an operation needs.
   *
   * @param right null: being known
   * @param namespaced whether the right is needed in the namespace of the object, else in all
   * @param divisible whether administrators of teams may do it to objects of their teams
   */
  private record Need(@Nullable Right right, boolean namespaced, boolean divisible) {}

  private static final Need KNOWN = new Need(null, false, false);
  private static final Need ADMINISTERS = new Need(Right.ADMINISTER, false, false);
  private static final Map<String, Map<String, Need>> NEEDS = needs();

  private Permissions() {}

  /** An answer with its reason in one sentence. */
  public record Answer(boolean allowed, String reason) {}

  private static Map<String, Map<String, Need>> needs() {
    Map<String, Map<String, Need>> needs = new TreeMap<>();
    addWork(needs);
    addCapacity(needs);
    for (ObjectKind kind : ObjectKind.values()) {
      boolean divisible = OF_TEAMS.contains(kind);
      add(needs, kind.plural(), KNOWN, READING);
      add(needs, kind.plural(), new Need(Right.ADMINISTER, false, divisible), WRITING);
    }
    for (String kind : List.of("audit", "journal")) {
      add(needs, kind, new Need(Right.AUDIT, false, false), READING);
    }
    add(needs, "metrics", new Need(Right.READ, false, false), READING);
    add(needs, "tokens", ADMINISTERS, READING);
    add(needs, "tokens", ADMINISTERS, Set.of("create", "rotate", "revoke", "delete"));
    add(needs, "backups", ADMINISTERS, Set.of("create"));
    return needs;
  }

  /** Jobs and pipelines, with what belongs to them. */
  private static void addWork(Map<String, Map<String, Need>> needs) {
    Need reads = new Need(Right.READ, true, false);
    Need submits = new Need(Right.SUBMIT, true, false);
    Need operates = new Need(Right.OPERATE, true, false);
    for (String kind :
        List.of(
            "jobs", "attempts", "events", "logs", "pipelines", "runs", "schedules", "backfills")) {
      add(needs, kind, reads, READING);
    }
    add(needs, "jobs", submits, Set.of("create", "submit", "apply"));
    add(
        needs,
        "jobs",
        operates,
        Set.of("cancel", "delete", "hold", "release", "prioritize", "limit", "update"));
    add(needs, "pipelines", submits, WRITING);
    add(needs, "pipelines", submits, Set.of("start"));
    add(needs, "runs", submits, Set.of("create", "start", "resume", "rerun"));
    add(needs, "runs", operates, Set.of("cancel"));
    add(needs, "schedules", operates, Set.of("pause", "resume"));
    add(needs, "backfills", submits, Set.of("create", "start"));
    add(needs, "backfills", operates, Set.of("cancel"));
  }

  private static void addCapacity(Map<String, Map<String, Need>> needs) {
    Need maintains = new Need(Right.MAINTAIN, false, false);
    for (String kind : List.of("hosts", "slices")) {
      add(needs, kind, KNOWN, READING);
      add(needs, kind, maintains, Set.of("drain", "fail", "reclaim", "return"));
    }
    add(needs, "capacity", KNOWN, READING);
    add(needs, "capacity", ADMINISTERS, Set.of("update"));
  }

  private static void add(
      Map<String, Map<String, Need>> needs, String kind, Need need, Set<String> verbs) {
    verbs.forEach(verb -> needs.computeIfAbsent(kind, any -> new TreeMap<>()).put(verb, need));
  }

  /**
   * Whether a caller may do something.
   *
   * @param verb such as {@code submit}
   * @param kind in the plural or the singular
   * @param namespace of the object; null: any namespace
   * @throws InvalidValueException if the kind or the verb is not known
   */
  public static Answer check(Caller caller, String verb, String kind, @Nullable String namespace) {
    Map<String, Need> verbs = verbs(kind);
    Need need = verbs.get(verb.toLowerCase(Locale.ROOT));
    if (need == null) {
      throw new InvalidValueException(
          "there is no verb %s for %s: one of %s"
              .formatted(verb, kind, String.join(", ", verbs.keySet())));
    }
    Right right = need.right();
    if (right == null) {
      return new Answer(true, "all callers may " + verb + " " + kind);
    }
    String where = need.namespaced() && namespace != null ? "namespace " + namespace : "";
    boolean allowed =
        where.isEmpty() ? caller.mayEverywhere(right) : caller.may(right, namespace(namespace));
    String scope = where.isEmpty() ? "in all namespaces" : "in " + where;
    if (!allowed && need.divisible() && !caller.scope(Right.DIVIDE).equals(NamespaceScope.NONE)) {
      return new Answer(
          true,
          "%s, may %s %s of its team, within what the team has: each edit is checked"
              .formatted(caller.described(), verb, kind));
    }
    return new Answer(
        allowed,
        "%s, %s %s %s; it may %s in %s"
            .formatted(
                caller.described(),
                allowed ? "may" : "may not",
                right.verb(),
                scope,
                right.word(),
                caller.scope(right)));
  }

  private static String namespace(@Nullable String namespace) {
    return namespace == null ? "" : namespace;
  }

  private static Map<String, Need> verbs(String kind) {
    String asked = kind.toLowerCase(Locale.ROOT);
    for (String form : List.of(asked, asked + "s", asked + "es", asked.replaceAll("y$", "ies"))) {
      Map<String, Need> verbs = NEEDS.get(form);
      if (verbs != null) {
        return verbs;
      }
    }
    throw new InvalidValueException(
        "there is no kind %s: one of %s"
            .formatted(kind, String.join(", ", new TreeSet<>(NEEDS.keySet()))));
  }
}
