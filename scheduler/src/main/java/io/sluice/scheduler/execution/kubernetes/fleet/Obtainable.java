// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.admission.state.AdmissionState;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.quota.ProvisioningReader;
import io.sluice.queuemodel.quota.Provisioning;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.ArrayList;
import java.util.List;

/** A flavor with provisioning, and the slices that it may get. */
public record Obtainable(ResourceFlavor flavor, Provisioning provisioning) {
  /** Returns the flavors with provisioning. */
  public static List<ResourceFlavor> flavors(AdmissionState state) {
    return state.objects().flavors().stream()
        .filter(flavor -> flavor.meta().annotations().get(Provisioning.ANNOTATION) != null)
        .toList();
  }

  /** Parses provisioning of flavors; returns the same object while the flavors stay the same. */
  public static final class Reading {
    private List<ResourceFlavor> flavors = List.of();
    private List<Obtainable> obtainable = List.of();

    /**
     * Returns the capacity that may be provisioned.
     *
     * @param said result of {@link #flavors}
     */
    public List<Obtainable> read(List<ResourceFlavor> said) {
      if (!said.equals(flavors)) {
        List<Obtainable> all = new ArrayList<>();
        for (ResourceFlavor flavor : said) {
          Provisioning provisioning = ProvisioningReader.of(flavor, ReadingTerms.DEFAULT);
          if (provisioning != null) {
            all.add(new Obtainable(flavor, provisioning));
          }
        }
        flavors = said;
        obtainable = List.copyOf(all);
      }
      return obtainable;
    }
  }
}
