// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.scheduler.execution.kubernetes.adoption.SeenObject.Owner;
import io.sluice.scheduler.execution.kubernetes.adoption.SeenObject.Phase;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SeenPodGroupTest {
  private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

  private static JsonNode pod(int number, String job, String more) throws JsonProcessingException {
    UUID uid = new UUID(1, number);
    String label = job.isEmpty() ? "" : ", \"sluice.io/job-id\": \"" + job + "\"";
    String annotation = job.isEmpty() ? "" : ", \"sluice.io/adopted-uid\": \"" + uid + "\"";
    return new ObjectMapper()
        .readTree(
            """
            {"metadata": {"namespace": "default", "name": "p%d", "uid": "%s",
              "resourceVersion": "1", "creationTimestamp": "%s",
              "labels": {"kueue.x-k8s.io/pod-group-name": "g"%s},
              "annotations": {"kueue.x-k8s.io/pod-group-total-count": "3"%s}%s},
             "spec": {"schedulingGates": [{"name": "sluice.io/admission"}]}}
            """
                .formatted(number, uid, CREATED, label, annotation, more));
  }

  private static List<List<String>> names(List<SeenPodGroup> groups) {
    return groups.stream()
        .map(group -> group.pods().stream().map(pod -> pod.at("/metadata/name").asText()).toList())
        .toList();
  }

  @Test
  void podsOfAGroupAreOneObjectWhichIsOnlyThoseOfThem() throws Exception {
    List<SeenPodGroup> all =
        SeenPodGroup.of(List.of(pod(2, "", ""), pod(1, "", ""), pod(3, "", "")));
    assertThat(names(all)).containsExactly(List.of("p1", "p2", "p3"));
    SeenObject seen = all.get(0).seen(CREATED);
    assertThat(seen.phase()).isEqualTo(Phase.SUSPENDED);
    assertThat(seen.owner()).isEqualTo(Owner.USER);
    assertThat(seen.ref().name()).isEqualTo("g");
    assertThat(seen.told().name()).isEqualTo("p1");
    List<SeenPodGroup> anew =
        SeenPodGroup.of(List.of(pod(4, "", ""), pod(1, "", ""), pod(3, "", "")));
    assertThat(anew.get(0).uid()).isNotEqualTo(all.get(0).uid());
  }

  @Test
  void aGroupThatLacksPodsFormsForAWhileAndIsThenTakenAsItIs() throws Exception {
    SeenPodGroup group = SeenPodGroup.of(List.of(pod(1, "", ""), pod(2, "", ""))).get(0);
    assertThat(group.seen(CREATED.plusSeconds(2)).phase()).isEqualTo(Phase.FORMING);
    assertThat(group.seen(CREATED.plusSeconds(60)).phase()).isEqualTo(Phase.SUSPENDED);
  }

  @Test
  void aGroupIsTheSameWhileItsPodsAreAdmittedOneByOne() throws Exception {
    UUID before =
        SeenPodGroup.of(List.of(pod(1, "", ""), pod(2, "", ""), pod(3, "", ""))).get(0).uid();
    List<SeenPodGroup> during =
        SeenPodGroup.of(List.of(pod(1, "j", ""), pod(2, "", ""), pod(3, "", "")));
    assertThat(during).hasSize(1);
    assertThat(during.get(0).uid()).isEqualTo(before);
    assertThat(during.get(0).seen(CREATED).owner()).isEqualTo(Owner.ATTEMPT);
  }

  @Test
  void aGroupThatIsRunAgainUnderItsNameIsAnotherOne() throws Exception {
    List<SeenPodGroup> both =
        SeenPodGroup.of(
            List.of(
                pod(1, "j", ""),
                pod(2, "j", ""),
                pod(3, "j", ""),
                pod(4, "", ""),
                pod(5, "", ""),
                pod(6, "", "")));
    assertThat(names(both)).containsExactly(List.of("p1", "p2", "p3"), List.of("p4", "p5", "p6"));
  }

  @Test
  void aGroupOfWhichAPodIsGoingIsGoing() throws Exception {
    String going = ", \"deletionTimestamp\": \"2026-01-01T00:00:01Z\"";
    SeenPodGroup group =
        SeenPodGroup.of(List.of(pod(1, "j", ""), pod(2, "j", going), pod(3, "j", ""))).get(0);
    assertThat(group.seen(CREATED).phase()).isEqualTo(Phase.GOING);
  }
}
