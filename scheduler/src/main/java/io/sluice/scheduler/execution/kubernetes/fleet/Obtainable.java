// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.admission.state.AdmissionState;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.quota.ProvisioningReader;
import io.sluice.queuemodel.quota.Provisioning;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.ArrayList;
import java.util.List;

/** A flavor whose capacity can be called for, and what may be had of it. */
public record Obtainable(ResourceFlavor flavor, Provisioning provisioning) {
  /** The flavors that say so. */
  public static List<ResourceFlavor> flavors(AdmissionState state) {
    return state.objects().flavors().stream()
        .filter(flavor -> flavor.meta().annotations().get(Provisioning.ANNOTATION) != null)
        .toList();
  }

  /** Reads what flavors say; while they stay the same the answer is the same object. */
  public static final class Reading {
    private List<ResourceFlavor> flavors = List.of();
    private List<Obtainable> obtainable = List.of();

    /**
     * What may be had.
     *
     * @param said as {@link #flavors} answers
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
