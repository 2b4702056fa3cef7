// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The store of an informer for pods outside Sluice: name, node and requests, about half a kilobyte
 * per pod.
 */
final class OutsidePodStore implements ItemStore<Pod> {
  private record Entry(@Nullable OutsidePod pod, String uid, String resourceVersion) {
    /** Returns the fields that the informer needs. */
    Pod stub(String key) {
      int slash = key.indexOf('/');
      return new PodBuilder()
          .withNewMetadata()
          .withNamespace(key.substring(0, slash))
          .withName(key.substring(slash + 1))
          .withUid(uid)
          .withResourceVersion(resourceVersion)
          .endMetadata()
          .build();
    }
  }

  private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
  private volatile boolean changed;
  private volatile boolean chipsChanged;

  /** Whether a pod has changed since the last call. */
  boolean collectChanged() {
    boolean was = changed;
    changed = false;
    chipsChanged = false;
    return was;
  }

  /** Whether a pod with chips was added or removed since the last {@link #collectChanged}. */
  boolean haveChipsChanged() {
    return chipsChanged;
  }

  /** Returns the use of nodes, by node name. */
  Map<String, OutsideUse> byNode() {
    Map<String, List<OutsidePod>> pods = new HashMap<>();
    for (Entry entry : entries.values()) {
      OutsidePod pod = entry.pod();
      if (pod != null) {
        pods.computeIfAbsent(pod.node(), absent -> new ArrayList<>()).add(pod);
      }
    }
    Map<String, OutsideUse> uses = new HashMap<>();
    pods.forEach((node, on) -> uses.put(node, OutsideUse.of(on)));
    return uses;
  }

  private void note(@Nullable OutsidePod before, @Nullable OutsidePod after) {
    if (!Objects.equals(before, after)) {
      if ((before != null && before.usesTpus()) || (after != null && after.usesTpus())) {
        chipsChanged = true;
      }
      changed = true;
    }
  }

  @Override
  public String getKey(Pod pod) {
    return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
  }

  @Override
  public @Nullable Pod put(String key, Pod pod) {
    OutsidePod read = OutsidePod.of(pod);
    Entry before =
        entries.put(
            key,
            new Entry(
                read,
                String.valueOf(pod.getMetadata().getUid()),
                String.valueOf(pod.getMetadata().getResourceVersion())));
    note(before == null ? null : before.pod(), read);
    return before == null ? null : before.stub(key);
  }

  @Override
  public @Nullable Pod remove(String key) {
    Entry before = entries.remove(key);
    note(before == null ? null : before.pod(), null);
    return before == null ? null : before.stub(key);
  }

  @Override
  public Stream<String> keySet() {
    return entries.keySet().stream();
  }

  @Override
  public Stream<Pod> values() {
    return entries.entrySet().stream().map(entry -> entry.getValue().stub(entry.getKey()));
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public @Nullable Pod get(String key) {
    Entry entry = entries.get(key);
    return entry == null ? null : entry.stub(key);
  }

  /** Always false: pods are not kept whole. */
  @Override
  public boolean isFullState() {
    return false;
  }
}
