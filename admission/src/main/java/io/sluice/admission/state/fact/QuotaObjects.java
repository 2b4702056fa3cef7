// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The quota objects known to the engine. Only the state changes them. */
public final class QuotaObjects {
  private final TreeMap<ObjectKey, QuotaObject> objects = new TreeMap<>();

  /** Teams and role bindings; null if one changed since they were listed. */
  private @Nullable List<QuotaObject> memberships;

  /** Returns all objects, by key. */
  public Collection<QuotaObject> all() {
    return Collections.unmodifiableCollection(objects.values());
  }

  public @Nullable LocalQueue localQueue(QueueKey key) {
    return (LocalQueue) objects.get(key.objectKey());
  }

  public @Nullable ResourceFlavor flavor(String name) {
    return (ResourceFlavor) objects.get(ObjectKey.of(ObjectKind.RESOURCE_FLAVOR, name));
  }

  public @Nullable ComputeClass computeClass(String name) {
    return (ComputeClass) objects.get(ObjectKey.of(ObjectKind.COMPUTE_CLASS, name));
  }

  /** Returns the class that a job names; null if it names none or one that does not exist. */
  public @Nullable ComputeClass computeClassOf(JobEntry job) {
    String name = job.workload().shape().computeClass();
    return name == null ? null : computeClass(name);
  }

  public List<ResourceFlavor> flavors() {
    return of(ResourceFlavor.class);
  }

  public List<Topology> topologies() {
    return of(Topology.class);
  }

  public List<Cohort> cohorts() {
    return of(Cohort.class);
  }

  /** Returns the bookings and outages, by key. */
  public List<DatedObject> dated() {
    return of(DatedObject.class);
  }

  /**
   * Returns the teams and role bindings, by key: the same list as before unless one has changed.
   */
  public List<QuotaObject> memberships() {
    List<QuotaObject> present = memberships;
    if (present == null) {
      present = List.copyOf(objects.tailMap(ObjectKey.of(ObjectKind.TEAM, ""), true).values());
      memberships = present;
    }
    return present;
  }

  private void forgetMemberships(ObjectKey key) {
    if (key.kind() == ObjectKind.TEAM || key.kind() == ObjectKind.ROLE_BINDING) {
      memberships = null;
    }
  }

  private <T extends QuotaObject> List<T> of(Class<T> type) {
    List<T> found = new ArrayList<>();
    for (QuotaObject object : objects.values()) {
      if (type.isInstance(object)) {
        found.add(type.cast(object));
      }
    }
    return found;
  }

  public void put(QuotaObject object) {
    objects.put(object.key(), object);
    forgetMemberships(object.key());
  }

  public @Nullable QuotaObject remove(ObjectKey key) {
    forgetMemberships(key);
    return objects.remove(key);
  }
}
