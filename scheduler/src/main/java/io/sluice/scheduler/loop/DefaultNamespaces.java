// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import java.util.Set;
import java.util.TreeSet;

/** The namespaces that have a LocalQueue {@code default}, as of the last committed batch. */
public final class DefaultNamespaces {
  private static final String DEFAULT = "default";

  private final CommittedView view;

  public DefaultNamespaces(CommittedView view) {
    this.view = view;
  }

  public Set<String> names() {
    return view.ask(
            state -> {
              Set<String> names = new TreeSet<>();
              for (QuotaObject object : state.objects().all()) {
                if (object instanceof LocalQueue queue && queue.meta().name().equals(DEFAULT)) {
                  names.add(queue.meta().namespace());
                }
              }
              return names;
            })
        .value();
  }
}
