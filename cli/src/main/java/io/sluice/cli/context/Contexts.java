// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.context;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of the file.
 *
 * @param current name of the context that is used without {@code --context}; null: none
 */
public record Contexts(@Nullable String current, List<Context> all) {
  /** No contexts. */
  public static final Contexts NONE = new Contexts(null, List.of());

  public Contexts {
    all = List.copyOf(all);
  }

  /** Returns the context of that name; null: there is none. */
  public @Nullable Context named(String name) {
    return all.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
  }

  /** Returns all names, in the order of the file. */
  public List<String> names() {
    return all.stream().map(Context::name).toList();
  }

  /** Returns contexts in which another one is current. */
  public Contexts withCurrent(@Nullable String name) {
    return new Contexts(name, all);
  }

  /** Returns contexts with one added, or with one in the place of that of the same name. */
  public Contexts with(Context context) {
    List<Context> changed = new ArrayList<>(all);
    int place = names().indexOf(context.name());
    if (place < 0) {
      changed.add(context);
    } else {
      changed.set(place, context);
    }
    return new Contexts(current, changed);
  }
}
