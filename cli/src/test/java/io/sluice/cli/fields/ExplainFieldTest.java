// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.options.WrongUsageException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What explain-field finds and prints. */
class ExplainFieldTest {
  private static final FieldCatalogue CATALOGUE = FieldCatalogue.read();

  private static FoundField find(String path) {
    return FoundField.find(CATALOGUE, path);
  }

  private static List<String> page(String path) {
    return FieldPage.of(find(path), false);
  }

  @Test
  void aFieldIsPrintedWithTheFieldsInsideIt() {
    assertThat(page("job.spec.accelerator"))
        .containsSubsequence(
            "KIND:     Job",
            "VERSION:  sluice.io/v1",
            "FIELD:    spec.accelerator",
            "TYPE:     object",
            "DEFAULT:  none",
            "PAGE:     docs/reference/manifests/job.md",
            "",
            "MEANING:",
            "  asks for whole slices. It defines the pods, one for each host",
            "",
            "FIELDS:",
            "  type <a type of the catalogue below> -required-",
            "    the type of accelerator")
        .contains("    number of whole slices of an attempt")
        .noneMatch(line -> line.contains("minGrowSeconds"));
  }

  @Test
  void recursivelyTheFieldsAreATree() {
    assertThat(FieldPage.of(find("job.spec"), true))
        .containsSubsequence(
            "FIELDS:",
            "  accelerator <object>",
            "    slices <1 to 10,000; at most 100,000 pods>",
            "      minGrowSeconds <0 to 2,592,000>",
            "  podSets <list, 1 to 16 objects>",
            "    name <DNS label, each once> -required-");
  }

  @ParameterizedTest
  @CsvSource({
    "job.spec.podSets.name, Job, spec.podSets[].name",
    "jobs.spec.podSets[0].name, Job, spec.podSets[].name",
    "JOB.spec.podSets[*].name, Job, spec.podSets[].name",
    "clusterqueues.spec, ClusterQueue, spec",
    "cq.spec.resourceGroups.flavors.name, ClusterQueue, spec.resourceGroups[].flavors[].name",
    "topologies, Topology, ''",
    "fleet.spec.hosts, Fleet, spec.hosts",
    "slices.topology, SliceView, topology",
    "jobstatus.indices.count, JobStatus, indices.count",
    "runs.steps.parts.try, Run, steps[].parts[].try",
    "editpreview.gains.first.indices, EditPreview, gains.first[].indices"
  })
  void kindsAndPathsAreWrittenInSeveralWays(String written, String kind, String path) {
    assertThat(find(written).kind().name()).isEqualTo(kind);
    assertThat(find(written).path()).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "localqueue.metadata.annotations[sluice.io/allowed-priority-classes]",
    "localqueue.metadata.annotations.sluice.io/allowed-priority-classes",
    "localqueue.metadata.annotations['sluice.io/allowed-priority-classes']"
  })
  void anAnnotationIsAField(String written) {
    assertThat(find(written).path())
        .isEqualTo("metadata.annotations[sluice.io/allowed-priority-classes]");
  }

  @Test
  void fieldsInsideAnAnnotationHaveAPath() {
    assertThat(find("computeclass.metadata.annotations[sluice.io/rungs][].deadline").path())
        .isEqualTo("metadata.annotations[sluice.io/rungs][].deadline");
  }

  @Test
  void anAnswerHasTheManifestAndAStatus() {
    FoundField state = find("job.status.state");
    assertThat(state.field().type()).isEqualTo("text");
    assertThat(state.field().meaning()).startsWith("SUBMITTED, PENDING, ADMITTED, RUNNING");
    assertThat(find("job.status").field().type()).isEqualTo("object, read-only");
    assertThat(find("lq.status.fairSharing").kind().name()).isEqualTo("LocalQueue");
    assertThat(find("cohort.metadata.generation").field().type())
        .isEqualTo("whole number, read-only");
    assertThat(find("job.spec.queue").field().type()).doesNotContain("read-only");
    assertThatThrownBy(() -> find("cohort.status")).isInstanceOf(WrongUsageException.class);
  }

  @Test
  void typesOfAnswersAreThoseOfJson() {
    assertThat(find("jobstatus.createdAt").field().type()).isEqualTo("time");
    assertThat(find("jobstatus.rungs").field().shownType()).isEqualTo("list of objects");
    assertThat(find("jobview.metadata.labels").field().type()).isEqualTo("map of texts");
    assertThat(find("jobview.documents").field().type()).isEqualTo("list of objects");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jobb.spec | there is no kind jobb; did you mean job?",
        "nothing | there is no kind nothing; sluice explain-field lists the kinds",
        "job.spec.acelerator | Job.spec has no field acelerator; did you mean accelerator?",
        "job.podSets | Job has no field podSets; did you mean spec.podSets?",
        "job.spec.array.x | Job.spec.array has no field x: one of count, indices, maxParallel",
        "job.spec.queue.x | no fields of Job.spec.queue are known, so not x"
      })
  void anUnknownNameIsAnErrorWithSimilarNames(String written, String message) {
    assertThatThrownBy(() -> find(written))
        .isInstanceOf(WrongUsageException.class)
        .hasMessage(message);
  }

  @Test
  void programsGetTheSameAsData() {
    JsonNode data = FieldData.of(find("job.spec.array"), false);
    assertThat(data.path("path").asText()).isEqualTo("spec.array");
    assertThat(data.path("default").asText()).isEqualTo("no array");
    assertThat(data.path("fields").path(0).path("path").asText()).isEqualTo("spec.array.count");
    assertThat(data.path("fields").path(0).has("fields")).isFalse();
    JsonNode all = FieldData.of(find("job"), true);
    assertThat(all.findValuesAsText("path")).contains("spec.podSets[].topologyRequest.required");
    assertThat(FieldData.kinds(CATALOGUE.kinds())).hasSameSizeAs(CATALOGUE.kinds());
  }

  @Test
  void theKindsAreListedManifestsFirst() {
    assertThat(FieldPage.kinds(CATALOGUE.kinds()))
        .anyMatch(line -> line.startsWith("AcceleratorCatalogue "))
        .containsSubsequence("")
        .anyMatch(line -> line.startsWith("JobExplanation "));
  }

  @Test
  void pathsAreCompletedWithTheNextName() {
    assertThat(ExplainFieldCommand.continuations(CATALOGUE, "jo")).contains("job", "jobview");
    assertThat(ExplainFieldCommand.continuations(CATALOGUE, "job.spec.array."))
        .containsExactly(
            "job.spec.array.count", "job.spec.array.indices", "job.spec.array.maxParallel");
    assertThat(ExplainFieldCommand.continuations(CATALOGUE, "nothing.x")).isEmpty();
  }
}
