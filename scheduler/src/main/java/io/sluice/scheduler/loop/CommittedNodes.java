// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.manifests.rendering.AdmittedAttempt;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SoughtSlices;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.scheduler.store.cluster.ProvisionedSlice;
import io.sluice.scheduler.store.cluster.ProvisionedSliceRows;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Properties of flavors and slices for pods of admitted attempts, as of the last committed batch.
 */
public final class CommittedNodes implements AdmittedAttempt.Nodes {
  /** Tells the autoscaler which ProvisioningRequest brought the nodes for a pod. */
  private static final String REQUEST = "autoscaling.x-k8s.io/consume-provisioning-request";

  private static final String CLASS = "autoscaling.x-k8s.io/provisioning-class-name";

  private final CommittedView view;
  private final ProvisionedSliceRows rows;

  public CommittedNodes(CommittedView view, ProvisionedSliceRows rows) {
    this.view = view;
    this.rows = rows;
  }

  @Override
  public ResourceFlavor flavor(String name) {
    @Nullable ResourceFlavor found =
        view.ask(state -> Optional.ofNullable(state.objects().flavor(name))).value().orElse(null);
    if (found == null) {
      throw new InvalidValueException("ResourceFlavor " + name + " no longer exists");
    }
    return found;
  }

  @Override
  public Slice slice(String name) {
    @Nullable Slice found =
        view.ask(state -> Optional.ofNullable(state.slices().find(name))).value().orElse(null);
    if (found == null) {
      throw new InvalidValueException("slice " + name + " is no longer in the fleet");
    }
    return found;
  }

  /** A pod can consume one request, of its own namespace. */
  @Override
  public Labels annotations(String namespace, List<String> slices) {
    boolean anySought =
        slices.stream()
            .map(name -> view.ask(state -> Optional.ofNullable(state.slices().find(name))).value())
            .flatMap(Optional::stream)
            .anyMatch(SoughtSlices::isSought);
    if (!anySought) {
      return Labels.NONE;
    }
    TreeMap<String, String> requests = new TreeMap<>();
    for (ProvisionedSlice one : rows.of(slices)) {
      if (one.namespace().equals(namespace)) {
        requests.put(one.request(), one.className());
      }
    }
    return requests.size() != 1
        ? Labels.NONE
        : Labels.of(Map.of(REQUEST, requests.firstKey(), CLASS, requests.get(requests.firstKey())));
  }
}
