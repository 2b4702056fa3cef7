// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The store of an informer for nodes: keeps only the relevant fields and the informer's key. A
 * whole node is ten times as large, mostly the list of its images.
 */
final class NodeStore implements ItemStore<Node> {
  private record Entry(ClusterNode node, String uid, String resourceVersion) {
    /** Returns the fields that the informer needs. */
    Node stub() {
      return new NodeBuilder()
          .withNewMetadata()
          .withName(node.name())
          .withUid(uid)
          .withResourceVersion(resourceVersion)
          .endMetadata()
          .build();
    }
  }

  private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
  private volatile boolean changed;

  /** Whether a relevant field has changed since the last call. */
  boolean collectChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  List<ClusterNode> nodes() {
    List<ClusterNode> nodes = new ArrayList<>(entries.size());
    entries.values().forEach(entry -> nodes.add(entry.node()));
    return nodes;
  }

  @Override
  public String getKey(Node node) {
    return node.getMetadata().getName();
  }

  @Override
  public @Nullable Node put(String key, Node node) {
    ClusterNode read = ClusterNode.of(node);
    Entry before = entries.get(key);
    ClusterNode kept = read;
    boolean same = false;
    if (before != null && before.node().equals(read)) {
      kept = before.node();
      same = true;
    }
    entries.put(
        key,
        new Entry(
            kept,
            String.valueOf(node.getMetadata().getUid()),
            String.valueOf(node.getMetadata().getResourceVersion())));
    if (!same) {
      changed = true;
    }
    return before == null ? null : before.stub();
  }

  @Override
  public @Nullable Node remove(String key) {
    Entry before = entries.remove(key);
    if (before != null) {
      changed = true;
    }
    return before == null ? null : before.stub();
  }

  @Override
  public Stream<String> keySet() {
    return entries.keySet().stream();
  }

  @Override
  public Stream<Node> values() {
    return entries.values().stream().map(Entry::stub);
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public @Nullable Node get(String key) {
    Entry entry = entries.get(key);
    return entry == null ? null : entry.stub();
  }

  /** Always false: nodes are not kept whole. */
  @Override
  public boolean isFullState() {
    return false;
  }
}
