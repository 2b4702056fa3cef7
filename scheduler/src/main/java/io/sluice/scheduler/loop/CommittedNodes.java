// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.manifests.rendering.AdmittedAttempt;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What flavors and slices are like, as was last committed. */
public final class CommittedNodes implements AdmittedAttempt.Nodes {
  private final CommittedView view;

  public CommittedNodes(CommittedView view) {
    this.view = view;
  }

  @Override
  public ResourceFlavor flavor(String name) {
    @Nullable ResourceFlavor found =
        view.ask(state -> Optional.ofNullable(state.objects().flavor(name))).value().orElse(null);
    if (found == null) {
      throw new InvalidValueException("ResourceFlavor " + name + " is not there any more");
    }
    return found;
  }

  @Override
  public Slice slice(String name) {
    @Nullable Slice found =
        view.ask(state -> Optional.ofNullable(state.slices().find(name))).value().orElse(null);
    if (found == null) {
      throw new InvalidValueException("slice " + name + " is not in the fleet any more");
    }
    return found;
  }
}
