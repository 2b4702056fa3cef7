// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the quota tree at one time: ClusterQueues, Cohorts, and the cohorts that are only
 * named by another node. Immutable.
 */
public final class QuotaNodes {
  private final SortedMap<ObjectKey, QuotaObject> objects = new TreeMap<>();
  private final SortedMap<ObjectKey, SortedSet<ObjectKey>> children = new TreeMap<>();
  private final SortedSet<ObjectKey> nodes = new TreeSet<>();

  /** Nodes of these objects; those of other kinds are left out. */
  public QuotaNodes(Collection<? extends QuotaObject> all) {
    for (QuotaObject object : all) {
      if (isNode(object.key())) {
        objects.put(object.key(), object);
        nodes.add(object.key());
        ObjectKey parent = parentOf(object);
        if (parent != null) {
          nodes.add(parent);
          children.computeIfAbsent(parent, key -> new TreeSet<>()).add(object.key());
        }
      }
    }
  }

  /** Whether objects of the kind are nodes of the quota tree. */
  static boolean isNode(ObjectKey key) {
    return key.kind() == ObjectKind.CLUSTER_QUEUE || key.kind() == ObjectKind.COHORT;
  }

  /** The nodes after an edit. */
  public QuotaNodes with(List<Change> edit) {
    Map<ObjectKey, QuotaObject> after = new TreeMap<>(objects);
    for (Change change : edit) {
      QuotaObject written = change.after();
      if (written == null) {
        after.remove(change.key());
      } else {
        after.put(change.key(), written);
      }
    }
    return new QuotaNodes(after.values());
  }

  private static @Nullable ObjectKey parentOf(QuotaObject object) {
    String parent = null;
    if (object instanceof ClusterQueue queue) {
      parent = queue.cohort();
    } else if (object instanceof Cohort cohort) {
      parent = cohort.parent();
    }
    return parent == null ? null : ObjectKey.of(ObjectKind.COHORT, parent);
  }

  /** Whether there is such a node, even if only another one names it. */
  boolean contains(ObjectKey key) {
    return nodes.contains(key);
  }

  /** The cohorts above a node, from its own; none of them twice, even on a cycle. */
  List<ObjectKey> above(ObjectKey node) {
    List<ObjectKey> above = new ArrayList<>();
    SortedSet<ObjectKey> seen = new TreeSet<>(List.of(node));
    QuotaObject object = objects.get(node);
    ObjectKey parent = object == null ? null : parentOf(object);
    while (parent != null && seen.add(parent)) {
      above.add(parent);
      QuotaObject next = objects.get(parent);
      parent = next == null ? null : parentOf(next);
    }
    return above;
  }

  /** The nodes strictly below a node. */
  SortedSet<ObjectKey> below(ObjectKey node) {
    SortedSet<ObjectKey> below = new TreeSet<>();
    List<ObjectKey> open = new ArrayList<>(List.of(node));
    while (!open.isEmpty()) {
      ObjectKey next = open.remove(open.size() - 1);
      for (ObjectKey child : children.getOrDefault(next, Collections.emptySortedSet())) {
        if (!child.equals(node) && below.add(child)) {
          open.add(child);
        }
      }
    }
    return below;
  }

  /** The objects of these nodes; cohorts that are only named have none. */
  List<QuotaObject> objectsOf(Collection<ObjectKey> keys) {
    List<QuotaObject> found = new ArrayList<>();
    for (ObjectKey key : keys) {
      QuotaObject object = objects.get(key);
      if (object != null) {
        found.add(object);
      }
    }
    return found;
  }
}
