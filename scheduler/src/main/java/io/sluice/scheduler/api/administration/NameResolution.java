// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.administration;

import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.quota.NameReader;
import io.sluice.scheduler.store.quota.NameReader.Named;
import io.sluice.scheduler.store.quota.NamedKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a name identifies one object. A name is looked up in the namespace that the
 * caller gives, otherwise in the namespaces that the caller may read, or may change.
 */
final class NameResolution {
  private final NameReader reader;
  private final Caller caller;
  private final boolean change;

  /**
   * Creates the rules for one request.
   *
   * @param change whether the caller wants to change the object: a live job then takes precedence
   *     over those that have ended
   */
  NameResolution(NameReader reader, Caller caller, boolean change) {
    this.reader = reader;
    this.caller = caller;
    this.change = change;
  }

  /**
   * The objects that a name may identify.
   *
   * @param candidates one: the name identifies it; none: there is no such object; more: the name is
   *     ambiguous
   * @param live whether the candidates are all live
   */
  record Found(List<Named> candidates, boolean live) {
    Found {
      candidates = List.copyOf(candidates);
    }
  }

  /**
   * Looks a name up.
   *
   * @param namespace null: the caller gave none
   */
  Found find(NamedKind kind, String name, @Nullable String namespace) {
    if (namespace != null) {
      return in(kind, name, List.of(namespace));
    }
    NamespaceScope own = own();
    return own.isAll() ? in(kind, name, null) : in(kind, name, List.copyOf(own.names()));
  }

  /** The namespaces in which the caller may do what it wants to do. */
  private NamespaceScope own() {
    return caller.scope(change ? Right.OPERATE : Right.READ);
  }

  private Found in(NamedKind kind, String name, @Nullable List<String> namespaces) {
    if (change && kind == NamedKind.JOB) {
      List<Named> live = reader.liveJobs(name, namespaces);
      if (!live.isEmpty()) {
        return new Found(live, true);
      }
    }
    return new Found(reader.newest(kind, name, namespaces), false);
  }

  /** The message that there is no such object, and where it was searched. */
  String absence(NamedKind kind, String name, @Nullable String namespace) {
    String start = "there is no " + kind.word() + " " + Parameters.shown(name);
    if (namespace != null) {
      return start + " in namespace " + Parameters.shown(namespace);
    }
    NamespaceScope own = own();
    return own.isAll()
        ? start
        : "%s in the namespaces that %s may %s: %s"
            .formatted(start, caller.name(), change ? "change" : "read", own);
  }

  /** The message that a name is ambiguous, and how to name one of the candidates. */
  static String ambiguity(NamedKind kind, String name, Found found) {
    int most = NameReader.FOUND_MAX - 1;
    int count = found.candidates().size();
    List<String> ways = new ArrayList<>(List.of("its namespace"));
    if (kind.hasId()) {
      ways.add("its id");
    }
    return "%s %s%ss are named %s: name one by %s"
        .formatted(
            count > most ? "more than " + most : Integer.toString(count),
            found.live() ? "live " : "",
            kind.word(),
            Parameters.shown(name),
            String.join(" or ", ways));
  }
}
