// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code resourceGroups}. Kueue asks for more of a ClusterQueue than of a cohort: it may not
 * lend more than it has, and the totals over its groups are bounded.
 */
final class ResourceGroupsReader {
  private static final int GROUPS_MAX = 16;
  private static final int RESOURCES_MAX = 64;
  private static final int FLAVORS_MAX = 64;
  private static final int TOTAL_MAX = 256;
  private static final int COMBINATIONS_MAX = 512;

  private final ObjectCursor spec;
  private final String parentField;
  private final boolean ofClusterQueue;
  private final Set<String> resourcesSeen = new HashSet<>();
  private final Set<String> flavorsSeen = new HashSet<>();

  private ResourceGroupsReader(ObjectCursor spec, String parentField, boolean ofClusterQueue) {
    this.spec = spec;
    this.parentField = parentField;
    this.ofClusterQueue = ofClusterQueue;
  }

  /** A reader for a ClusterQueue's groups; the field names its cohort. */
  static ResourceGroupsReader ofClusterQueue(String cohortField, ObjectCursor spec) {
    return new ResourceGroupsReader(spec, cohortField, true);
  }

  static ResourceGroupsReader ofCohort(ObjectCursor spec) {
    return new ResourceGroupsReader(spec, "parentName", false);
  }

  List<ResourceGroup> read() {
    List<ResourceGroup> groups =
        spec.objects("resourceGroups", GROUPS_MAX, "a resource group", this::group);
    if (ofClusterQueue) {
      refuseTotal(groups.stream().mapToInt(group -> group.flavors().size()).sum(), "flavors");
      refuseTotal(
          groups.stream().mapToInt(group -> group.coveredResources().size()).sum(),
          "covered resources");
    }
    return groups;
  }

  private void refuseTotal(int total, String what) {
    if (total > TOTAL_MAX) {
      spec.refuse(
          "resourceGroups", "have " + total + " " + what + " together: at most " + TOTAL_MAX);
    }
  }

  private ResourceGroup group(ObjectCursor cursor) {
    int before = cursor.violations().count();
    cursor.requireEntries("coveredResources");
    List<ResourceName> covered =
        cursor.texts("coveredResources", RESOURCES_MAX, this::requireNew).stream()
            .map(ResourceName::new)
            .toList();
    boolean coveredIsRight = cursor.violations().count() == before;
    cursor.requireEntries("flavors");
    List<FlavorQuotas> flavors =
        cursor.objects(
            "flavors",
            FLAVORS_MAX,
            "a flavor's quotas",
            flavor -> flavor(flavor, covered, coveredIsRight));
    int combinations = flavors.stream().mapToInt(flavor -> flavor.resources().size()).sum();
    if (ofClusterQueue && combinations > COMBINATIONS_MAX) {
      cursor.refuse(
          "flavors",
          "have " + combinations + " quotas together: at most " + COMBINATIONS_MAX + " in a group");
    }
    cursor.end();
    return new ResourceGroup(covered, flavors);
  }

  private String requireNew(String resource) {
    Names.requireQualified(resource);
    if (!resourcesSeen.add(resource)) {
      throw new InvalidValueException("is covered twice: a resource belongs to one group once");
    }
    return resource;
  }

  /**
   * The quotas of one flavor.
   *
   * @param coveredIsRight else what the flavor lists is not compared with it
   */
  private FlavorQuotas flavor(
      ObjectCursor cursor, List<ResourceName> covered, boolean coveredIsRight) {
    String name = cursor.requiredText("name", Names::requireSubdomain);
    if (!name.isEmpty() && !flavorsSeen.add(name)) {
      cursor.refuse("name", "is there twice: a flavor belongs to one group once");
    }
    cursor.requireEntries("resources");
    List<ResourceQuota> quotas = new ArrayList<>();
    List<JsonNode> entries = cursor.items("resources", RESOURCES_MAX);
    for (int i = 0; coveredIsRight && i < Math.min(entries.size(), covered.size()); i++) {
      ObjectCursor entry =
          ObjectCursor.open(
              entries.get(i),
              cursor.path("resources").index(i),
              "a resource's quota",
              cursor.violations());
      ResourceQuota quota = entry == null ? null : quota(entry, covered.get(i));
      if (quota != null) {
        quotas.add(quota);
      }
    }
    if (coveredIsRight && !entries.isEmpty() && entries.size() != covered.size()) {
      cursor.refuse(
          "resources",
          "must list the same resources as coveredResources, in the same order: "
              + covered.size()
              + " entries, not "
              + entries.size());
    }
    cursor.end();
    return new FlavorQuotas(name, quotas);
  }

  private @Nullable ResourceQuota quota(ObjectCursor cursor, ResourceName resource) {
    String name = cursor.requiredText("name", Names::requireQualified);
    if (!name.isEmpty() && !name.equals(resource.value())) {
      cursor.refuse("name", "must be " + resource + ": the order is that of coveredResources");
    }
    cursor.require("nominalQuota");
    Long nominal = cursor.quantity("nominalQuota", resource);
    Long borrowing = limit(cursor, "borrowingLimit", resource);
    Long lending = limit(cursor, "lendingLimit", resource);
    if (ofClusterQueue && nominal != null && lending != null && lending > nominal) {
      cursor.refuse("lendingLimit", "must not be more than nominalQuota");
    }
    cursor.end();
    return nominal == null ? null : new ResourceQuota(resource, nominal, borrowing, lending);
  }

  private @Nullable Long limit(ObjectCursor cursor, String field, ResourceName resource) {
    Long limit = cursor.quantity(field, resource);
    if (limit != null && !spec.has(parentField)) {
      cursor.refuse(field, "must not be there without " + spec.path(parentField));
    }
    return limit;
  }
}
