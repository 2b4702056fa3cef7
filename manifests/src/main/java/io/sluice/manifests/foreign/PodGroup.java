// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.job.PodSetSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads pods that stand by themselves, and groups of them in Kueue's words. Pods of a group that
 * ask for the same are one pod set.
 */
final class PodGroup {
  private static final String ROLE = "role-";

  private PodGroup() {}

  /**
   * Reads the pods of one group, or the one pod that has none.
   *
   * @param pods their documents, of which each takes what is wrong with it
   */
  static void read(List<ForeignDocument> pods, ForeignPodSets into) {
    List<ForeignPods> read = new ArrayList<>();
    List<List<Integer>> members = new ArrayList<>();
    ForeignMetadata first = ForeignMetadata.read(pods.get(0).cursor());
    for (int i = 0; i < pods.size(); i++) {
      ObjectCursor top = pods.get(i).cursor();
      ForeignMetadata metadata = ForeignMetadata.read(top);
      refuseOtherwise(metadata, first, pods.size());
      ForeignPods one = ForeignPods.read(top, BatchJobPods.POD_SET, 1, null);
      into.limit(one.deadlineSeconds());
      int role = roleOf(one, read);
      if (role < 0) {
        read.add(one);
        members.add(new ArrayList<>(List.of(i)));
      } else {
        members.get(role).add(i);
      }
    }
    for (int role = 0; role < read.size(); role++) {
      String name = read.size() == 1 ? BatchJobPods.POD_SET : ROLE + role;
      add(read.get(role), name, members.get(role), pods, into);
    }
  }

  private static int roleOf(ForeignPods one, List<ForeignPods> roles) {
    for (int role = 0; role < roles.size(); role++) {
      if (roles.get(role).podSet().equals(one.podSet())) {
        return role;
      }
    }
    return -1;
  }

  /** All pods of a group must be there, in one queue and with one priority. */
  private static void refuseOtherwise(ForeignMetadata pod, ForeignMetadata first, int count) {
    if (pod.group() == null) {
      return;
    }
    int said = pod.groupCount();
    if (said > 0 && said != count) {
      pod.refuse(
          "annotations",
          ForeignMetadata.GROUP_COUNT,
          Integer.toString(said),
          "must be " + count + ": so many pods of the group are there");
    }
    if (!pod.queueing().equals(first.queueing())) {
      pod.refuse(
          "labels",
          ForeignMetadata.GROUP,
          pod.group(),
          "must be of pods with the same queue and priority class");
    }
  }

  private static void add(
      ForeignPods one,
      String name,
      List<Integer> members,
      List<ForeignDocument> pods,
      ForeignPodSets into) {
    PodSetSpec alike = one.podSet();
    PodSetSpec podSet =
        new PodSetSpec(
            name, members.size(), alike.template(), null, alike.topology(), alike.group());
    into.add(
        new ForeignPods(podSet, one.podSpec(), one.graceSeconds(), one.deadlineSeconds()),
        new PodSetPlace(name, members.get(0), "", null, 1),
        pods.get(members.get(0)).violations());
    for (int member : members.subList(1, members.size())) {
      into.addPlace(new PodSetPlace(name, member, "", null, 1));
    }
  }
}
