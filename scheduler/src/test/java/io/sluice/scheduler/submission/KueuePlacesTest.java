// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows.Standing;
import io.sluice.scheduler.store.cluster.KueuePlace;
import io.sluice.scheduler.store.cluster.KueuePlaceRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The place of an object in Kueue's line becomes that of its job, once. */
class KueuePlacesTest {
  private static final long NOBODY_LEADS = 0;
  private static final String CLUSTER = "east";
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");

  private Submitters submitters;
  private KueuePlaceRows rows;
  private AdoptionTransaction adoption;

  /** What a job was written with, beside its manifest. */
  private record Written(Instant createdAt, String input) {}

  @BeforeEach
  void create() throws SQLException {
    submitters = Submitters.create();
    rows = new KueuePlaceRows(submitters.database());
    adoption = new AdoptionTransaction(submitters.database(), new JobCheck(() -> Fleet.EMPTY));
  }

  @AfterEach
  void close() throws Exception {
    submitters.close();
  }

  private void place(KueuePlace... places) throws SQLException {
    try (Connection connection = submitters.database().getConnection()) {
      KueuePlaceRows.replace(connection, CLUSTER, List.of(places));
    }
  }

  private Standing standing(UUID uid) {
    return Objects.requireNonNull(
        new AdoptedObjectRows(submitters.database()).find(CLUSTER, List.of(uid)).get(uid));
  }

  private Written adopt(UUID uid, int version) throws SQLException {
    AdoptedObject object =
        new AdoptedObject(CLUSTER, uid, version, "Job", "team", "job", "digest" + version);
    Standing former = version == 1 ? null : standing(uid);
    Submission submission = new Submission(Submitters.job("job", 1), Caller.SERVER, null);
    adoption.adopt(object, former, submission.submitter(), submission, NOBODY_LEADS);
    Standing standing = standing(uid);
    assertThat(standing.state()).isEqualTo(JobState.SUBMITTED);
    try (Connection connection = submitters.database().getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT j.created_at, i.body::text FROM job j JOIN input i ON i.job_id = j.id"
                    + " AND i.kind = 'SubmitJob' WHERE j.id = ?")) {
      select.setObject(1, standing.job().value());
      try (ResultSet row = select.executeQuery()) {
        assertThat(row.next()).isTrue();
        return new Written(row.getTimestamp(1).toInstant(), row.getString(2));
      }
    }
  }

  @Test
  void aJobHasWaitedSinceItsWorkloadHas() throws SQLException {
    UUID uid = UUID.randomUUID();
    place(new KueuePlace(uid, SINCE, 7, false));
    assertThat(adopt(uid, 1)).isEqualTo(new Written(SINCE, "{}"));
  }

  @Test
  void oneThatWasNotActiveIsHeld() throws SQLException {
    UUID uid = UUID.randomUUID();
    place(new KueuePlace(uid, SINCE, 0, true));
    assertThat(adopt(uid, 1).input()).isEqualTo("{\"hold\": true}");
  }

  @Test
  void aPlaceIsUsedOnceAndOthersKeepTheirs() throws SQLException {
    UUID uid = UUID.randomUUID();
    KueuePlace other = new KueuePlace(UUID.randomUUID(), SINCE, 0, true);
    place(new KueuePlace(uid, SINCE, 0, false), other);
    adopt(uid, 1);
    assertThat(rows.find(CLUSTER)).isEqualTo(Map.of(other.uid(), other));
    assertThat(adopt(uid, 2).createdAt()).isAfter(SINCE);
  }

  @Test
  void aTimeThatIsStillToComeIsNow() throws SQLException {
    UUID uid = UUID.randomUUID();
    place(new KueuePlace(uid, Instant.parse("2999-01-01T00:00:00Z"), 0, false));
    assertThat(adopt(uid, 1).createdAt()).isBefore(Instant.now().plusSeconds(3600));
  }

  @Test
  void whatIsRefusedKeepsItsPlace() throws SQLException {
    UUID uid = UUID.randomUUID();
    place(new KueuePlace(uid, SINCE, 0, false));
    AdoptedObject object = new AdoptedObject(CLUSTER, uid, 1, "Job", "team", "job", "digest");
    String manifest = ManifestWriter.writeJson(ManifestWriter.toJson(Submitters.job("job", 1)));
    JobSpec elsewhere = ManifestReader.readJob(manifest.replace("\"main\"", "\"nowhere\""));
    Submission wrong = new Submission(elsewhere, Caller.SERVER, null);
    assertThatThrownBy(() -> adoption.adopt(object, null, wrong.submitter(), wrong, NOBODY_LEADS))
        .isInstanceOf(RefusedException.class);
    assertThat(rows.find(CLUSTER)).containsOnlyKeys(uid);
  }

  @Test
  void placesAreReplacedForEachClusterByItself() throws SQLException {
    KueuePlace here = new KueuePlace(UUID.randomUUID(), SINCE, 0, false);
    place(here);
    try (Connection connection = submitters.database().getConnection()) {
      KueuePlaceRows.replace(connection, "west", List.of());
    }
    assertThat(rows.find(CLUSTER)).containsOnlyKeys(here.uid());
    place();
    assertThat(rows.find(CLUSTER)).isEmpty();
  }
}
