// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.execution.kubernetes.adoption.SeenObject.Owner;
import io.sluice.scheduler.execution.kubernetes.adoption.SeenObject.Phase;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectDigest;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows.Standing;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AdoptionStepTest {
  private static final UUID UID = UUID.fromString("0c5ae5c2-8d0a-4a3e-b2a9-6e4d1bb4ed01");
  private static final String CALLER = "kubernetes:default";

  private static SeenObject seen(Owner owner, Phase phase, String digest) {
    return seen(ClusterKind.JOB, owner, phase, digest);
  }

  private static SeenObject seen(ClusterKind kind, Owner owner, Phase phase, String digest) {
    ObjectRef ref = new ObjectRef(kind, "default", "one", UID, "1");
    return new SeenObject(ref, ref, owner, phase, digest);
  }

  private static Standing standing(JobState state, @Nullable String cancelledBy) {
    return new Standing(
        new AdoptedObject("here", UID, 1, "Job", "default", "one", "same"),
        JobId.parse("01234567-89ab-7cde-8f01-23456789abcd"),
        state,
        "",
        cancelledBy);
  }

  @ParameterizedTest
  @CsvSource({
    "USER,    SUSPENDED, ADOPT",
    "USER,    RELEASED,  LEAVE",
    "USER,    OVER,      NOTHING",
    "USER,    GOING,     NOTHING",
    "OTHER,   SUSPENDED, NOTHING",
    "OTHER,   RELEASED,  NOTHING",
  })
  void whatWasNeverAdoptedIsIfItIsSuspendedAndItsUsersOwn(
      Owner owner, Phase phase, AdoptionStep step) {
    assertThat(AdoptionStep.of(seen(owner, phase, "same"), null, CALLER)).isEqualTo(step);
  }

  @ParameterizedTest
  @CsvSource({
    "USER,    SUSPENDED, same,  NOTHING",
    "USER,    SUSPENDED, other, ADOPT",
    "USER,    RELEASED,  same,  SUSPEND",
    "USER,    GOING,     same,  CANCEL",
    // What is written into it is no edit of its user's, and its release was Sluice's.
    "ATTEMPT, SUSPENDED, other, NOTHING",
    "ATTEMPT, RELEASED,  other, NOTHING",
    "ATTEMPT, GOING,     other, CANCEL",
  })
  void whatIsPendingFollowsItsUser(Owner owner, Phase phase, String digest, AdoptionStep step) {
    assertThat(
            AdoptionStep.of(seen(owner, phase, digest), standing(JobState.PENDING, null), CALLER))
        .isEqualTo(step);
  }

  @ParameterizedTest
  @EnumSource(
      value = JobState.class,
      names = {"ADMITTED", "RUNNING", "DRAINING"})
  void whatHasAnAttemptIsLeftToItUnlessItsUserDeletesIt(JobState state) {
    for (Owner owner : new Owner[] {Owner.USER, Owner.ATTEMPT}) {
      for (Phase phase : new Phase[] {Phase.SUSPENDED, Phase.RELEASED}) {
        assertThat(AdoptionStep.of(seen(owner, phase, "other"), standing(state, null), CALLER))
            .isEqualTo(AdoptionStep.NOTHING);
      }
      assertThat(AdoptionStep.of(seen(owner, Phase.GOING, "same"), standing(state, null), CALLER))
          .isEqualTo(AdoptionStep.CANCEL);
    }
  }

  @Test
  void whatHasEndedIsNeverTakenInAgainUnlessItsUserHadTakenItBack() {
    SeenObject same = seen(Owner.USER, Phase.SUSPENDED, "same");
    SeenObject other = seen(Owner.USER, Phase.SUSPENDED, "other");
    for (Standing ended :
        new Standing[] {
          standing(JobState.SUCCEEDED, null),
          standing(JobState.FAILED, null),
          standing(JobState.CANCELLED, "admin")
        }) {
      assertThat(AdoptionStep.of(same, ended, CALLER)).isEqualTo(AdoptionStep.NOTHING);
      assertThat(AdoptionStep.of(other, ended, CALLER)).isEqualTo(AdoptionStep.NOTHING);
      assertThat(AdoptionStep.of(seen(Owner.USER, Phase.RELEASED, "same"), ended, CALLER))
          .isEqualTo(AdoptionStep.SUSPEND);
    }
    Standing takenBack = standing(JobState.CANCELLED, CALLER);
    assertThat(AdoptionStep.of(same, takenBack, CALLER)).isEqualTo(AdoptionStep.ADOPT);
  }

  @Test
  void aPodCannotBeHeldAgainSoWhoeverLetsItGoOrEvictsItEndsItsJob() {
    Standing pending = standing(JobState.PENDING, null);
    SeenObject letGo = seen(ClusterKind.POD, Owner.USER, Phase.RELEASED, "same");
    assertThat(AdoptionStep.of(letGo, pending, CALLER)).isEqualTo(AdoptionStep.CANCEL);
    assertThat(AdoptionStep.of(letGo, standing(JobState.CANCELLED, CALLER), CALLER))
        .isEqualTo(AdoptionStep.NOTHING);
    SeenObject going = seen(ClusterKind.POD, Owner.ATTEMPT, Phase.GOING, "same");
    assertThat(AdoptionStep.of(going, standing(JobState.DRAINING, null), CALLER))
        .isEqualTo(AdoptionStep.CANCEL);
    assertThat(AdoptionStep.of(going, standing(JobState.DRAINING, CALLER), CALLER))
        .isEqualTo(AdoptionStep.NOTHING);
    SeenObject left = seen(ClusterKind.POD, Owner.ATTEMPT, Phase.SUSPENDED, "same");
    assertThat(AdoptionStep.of(left, null, CALLER)).isEqualTo(AdoptionStep.NOTHING);
    SeenObject forming = seen(ClusterKind.POD, Owner.USER, Phase.FORMING, "same");
    assertThat(AdoptionStep.of(forming, null, CALLER)).isEqualTo(AdoptionStep.WAIT);
  }

  @Test
  void whatAControllerMadeWaitsInItsPlaceWhereItCannotWaitItself() throws Exception {
    String owned = ", \"ownerReferences\": [{\"controller\": true, \"kind\": \"%s\"}]";
    String attempt = ", \"labels\": {\"sluice.io/job-id\": \"x\"}";
    assertThat(read(ClusterKind.JOB_SET, owned.formatted("PathwaysJob")).owner())
        .isEqualTo(Owner.USER);
    assertThat(read(ClusterKind.JOB_SET, owned.formatted("PathwaysJob") + attempt).owner())
        .isEqualTo(Owner.OTHER);
    assertThat(read(ClusterKind.JOB_SET, owned.formatted("TrainJob")).owner())
        .isEqualTo(Owner.OTHER);
    assertThat(read(ClusterKind.JOB, owned.formatted("PathwaysJob")).owner())
        .isEqualTo(Owner.OTHER);
    assertThat(read(ClusterKind.JOB, owned.formatted("CronJob")).owner()).isEqualTo(Owner.USER);
    assertThat(read(ClusterKind.POD, owned.formatted("ReplicaSet")).owner()).isEqualTo(Owner.USER);
    assertThat(read(ClusterKind.POD, owned.formatted("Job")).owner()).isEqualTo(Owner.OTHER);
  }

  private static ObjectNode object(String text) throws Exception {
    return (ObjectNode) new ObjectMapper().readTree(text);
  }

  private static SeenObject read(String metadata) throws Exception {
    return read(ClusterKind.JOB, metadata);
  }

  private static SeenObject read(ClusterKind kind, String metadata) throws Exception {
    return SeenObject.of(
        kind,
        object(
            """
            {"metadata": {"namespace": "default", "name": "one", "resourceVersion": "1",
              "uid": "%s"%s}, "spec": {"suspend": true}}
            """
                .formatted(UID, metadata)));
  }

  @Test
  void aCopyOfWhatWasAdmittedIsItsUsersAndWhatWasCreatedForAnAttemptIsNot() throws Exception {
    String label = ", \"labels\": {\"sluice.io/job-id\": \"x\"}";
    String annotation = ", \"annotations\": {\"sluice.io/adopted-uid\": \"%s\"}";
    String owned = ", \"ownerReferences\": [{\"controller\": true, \"kind\": \"Workflow\"}]";
    assertThat(read("").owner()).isEqualTo(Owner.USER);
    assertThat(read(owned).owner()).isEqualTo(Owner.OTHER);
    assertThat(read(label).owner()).isEqualTo(Owner.OTHER);
    assertThat(read(label + annotation.formatted(UID)).owner()).isEqualTo(Owner.ATTEMPT);
    assertThat(read(label + annotation.formatted(new UUID(1, 2))).owner()).isEqualTo(Owner.USER);
  }

  @Test
  void aVersionIsToldByWhatItsUserDecidesAndByNothingElse() throws Exception {
    String plain = ObjectDigest.of(object("{\"spec\": {\"a\": 1, \"b\": {\"c\": 2}}}"));
    for (String same :
        new String[] {
          "{\"spec\": {\"b\": {\"c\": 2}, \"a\": 1, \"suspend\": true}}",
          "{\"spec\": {\"a\": 1, \"b\": {\"c\": 2}}, \"status\": {\"active\": 1}}",
          "{\"spec\": {\"a\": 1, \"b\": {\"c\": 2}}, \"metadata\": {\"labels\": {\"x\": \"y\"}}}",
          "{\"spec\": {\"a\": 1, \"b\": {\"c\": 2}}, \"metadata\": {\"labels\":"
              + " {\"sluice.io/job-id\": \"y\"}}}"
        }) {
      assertThat(ObjectDigest.of(object(same))).as(same).isEqualTo(plain);
    }
    for (String other :
        new String[] {
          "{\"spec\": {\"a\": 1, \"b\": {\"c\": 3}}}",
          "{\"spec\": {\"a\": 1, \"b\": {\"c\": 2}}, \"metadata\": {\"labels\":"
              + " {\"kueue.x-k8s.io/queue-name\": \"y\"}}}"
        }) {
      assertThat(ObjectDigest.of(object(other))).as(other).isNotEqualTo(plain);
    }
  }

  @Test
  void anAmountIsTheSameHoweverItIsWritten() throws Exception {
    String container = "{\"spec\": {\"resources\": {\"limits\": {\"cpu\": %s}, \"claims\": []}}}";
    String one = ObjectDigest.of(object(container.formatted("1")));
    for (String same : new String[] {"\"1\"", "\"1000m\"", "1.0", "\"1.000\""}) {
      assertThat(ObjectDigest.of(object(container.formatted(same)))).as(same).isEqualTo(one);
    }
    for (String other : new String[] {"2", "\"1Ki\"", "\"one\"", "\"\"", "null", "[1]"}) {
      assertThat(ObjectDigest.of(object(container.formatted(other)))).as(other).isNotEqualTo(one);
    }
  }
}
