// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Document;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.TextDocuments;
import io.sluice.manifests.document.Violation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Inputs that are made to cost much or to fall through; the bound on time stands for hanging. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class HostileInputTest {
  private static final String JOB =
      "apiVersion: sluice.io/v1\nkind: Job\nspec: {queue: main, command: [a]}\n";

  @Test
  void aliasesThatStandForMuchAreRefused() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++) {
      String alias = "*a" + (i - 1);
      bomb.append("a" + i + ": &a" + i + " [" + (alias + ", ").repeat(9) + alias + "]\n");
    }
    assertThat(violations(bomb.toString()))
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.path()).startsWith("a4[");
              assertThat(violation.message()).contains("makes the input too large");
            });
  }

  @Test
  void aliasesAreCountedByTheirTextAndOverAllDocuments() {
    String text = "t: &t " + "x".repeat(64_000) + "\nl: [";
    assertThat(violations(text + "*t, ".repeat(60) + "*t]").get(0).path()).isEqualTo("l[49]");
    String document = "t: &t [x, x, x, x, x, x, x, x, x]\nl: [" + "*t, ".repeat(900) + "*t]\n---\n";
    List<Document> documents = TextDocuments.split(document.repeat(20));
    assertThat(documents).hasSize(12);
    assertThat(documents.get(11).violations().found())
        .singleElement()
        .extracting(Violation::message)
        .asString()
        .contains("makes the input too large");
  }

  @Test
  void aliasesThatStandForLittleWork() {
    String text = JOB + "metadata: {labels: &l {a: b}, annotations: *l}\n";
    assertThat(ManifestReader.readJob(text).meta().annotations().get("a")).isEqualTo("b");
  }

  @Test
  void depthIsBoundedInEveryNotation() {
    int depth = 100_000;
    assertThat(violations("a: " + "[".repeat(depth)).get(0).message())
        .isEqualTo("is nested too deeply: at most 64 levels");
    assertThat(violations("a: " + "{b: ".repeat(depth)).get(0).message())
        .isEqualTo("is nested too deeply: at most 64 levels");
    assertThat(violations("? ".repeat(depth)).get(0).message())
        .isEqualTo("has a key that is not text");
    assertThat(violations("- ".repeat(depth)).get(0).message()).contains("nested too deeply");
    assertThat(violations("[".repeat(depth)).get(0).message()).contains("nested too deeply");
    assertThat(violations("{\"a\":".repeat(depth)).get(0).message()).contains("nested too deeply");
  }

  @Test
  void numbersOfAnyLengthAreRefusedRatherThanComputed() {
    String digits = "9".repeat(500_000);
    String yaml =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: WorkloadPriorityClass
        metadata: {name: a}
        value: %s
        """;
    String json =
        "{\"apiVersion\": \"kueue.x-k8s.io/v1beta2\", \"kind\": \"WorkloadPriorityClass\","
            + " \"metadata\": {\"name\": \"a\"}, \"value\": %s}";
    assertThat(violations(yaml.formatted(digits)).get(0).path()).isEqualTo("value");
    assertThat(violations(yaml.formatted("1e999999999")).get(0).path()).isEqualTo("value");
    assertThat(violations(json.formatted(digits)).get(0).message()).startsWith("is not JSON");
    assertThat(violations(json.formatted("9".repeat(900))).get(0).path()).isEqualTo("value");
    assertThat(violations(json.formatted("1e999999999")).get(0).path()).isEqualTo("value");
    assertThat(violations(json.formatted("-0.0")).get(0).message())
        .isEqualTo("must be a whole number");
    assertThat(violations(json.formatted("NaN")).get(0).message()).startsWith("is not JSON");
  }

  @Test
  void documentsAreBoundedInNumber() {
    String thousand = (JOB + "---\n").repeat(1000);
    assertThat(ManifestReader.readAll(thousand)).hasSize(1000);
    assertThat(violations(thousand + JOB))
        .containsExactly(new Violation(1001, "", "", "is one too many: at most 1000 documents"));
  }

  @Test
  void objectsOfListsAreBoundedInNumber() {
    String items =
        IntStream.range(0, 1001).mapToObj(ignored -> "{}").collect(Collectors.joining(","));
    assertThat(violations("[" + items + "]").get(0).message())
        .isEqualTo("has 1001 entries: at most 1000");
    assertThat(violations("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[" + items + "]}"))
        .containsExactly(new Violation(1, "items", "[...]", "has 1001 entries: at most 1000"));
  }

  @Test
  void violationsAreBoundedOverAllDocuments() {
    String wrong = "apiVersion: sluice.io/v1\nkind: Job\nspec: {}\n---\n";
    assertThat(violations(wrong.repeat(900))).hasSize(20);
  }

  @Test
  void listsAreBoundedBeforeTheyAreRead() {
    String words = "a,".repeat(1001);
    assertThat(
            violations(
                "apiVersion: sluice.io/v1\nkind: Job\nspec: {queue: a, command: [" + words + "]}"))
        .contains(new Violation(1, "spec.command", "[...]", "has 1001 entries: at most 1000"));
  }

  @Test
  void bytesAreBoundedWhereTheyAreKept() {
    String much = "x".repeat(256 * 1024);
    assertThat(violations(JOB + "metadata: {annotations: {a: " + much + "}}").get(0).message())
        .isEqualTo("are 262145 bytes: at most 262144");
    String job = "apiVersion: sluice.io/v1\nkind: Job\nspec: {queue: a, command: [a], %s}";
    assertThat(violations(job.formatted("args: [" + much + "]")).get(0).message())
        .isEqualTo("has more than 262144 bytes with its args");
    assertThat(violations(job.formatted("env: {A: " + much + "}")).get(0).message())
        .isEqualTo("has more than 262144 bytes");
  }

  @Test
  void mergedEnvironmentsAreBoundedToo() {
    String one = environment(0, 300);
    String other = environment(300, 300);
    String text =
        "apiVersion: sluice.io/v1\nkind: Job\nspec: {queue: a, command: [a], env: {"
            + one
            + "}, podSets: [{name: p, env: {"
            + other
            + "}}]}";
    assertThat(violations(text))
        .containsExactly(
            new Violation(
                1, "spec.podSets[0].env", "{...}", "has 600 entries with the spec's: at most 500"));
  }

  private static String environment(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(number -> "E" + number + ": \"\"")
        .collect(Collectors.joining(", "));
  }

  @Test
  void bytesThatAreNoTextAreRefused() {
    byte[] latin = "name: \u00e9".getBytes(StandardCharsets.ISO_8859_1);
    InvalidManifestException refused =
        catchThrowableOfType(InvalidManifestException.class, () -> ManifestReader.readAll(latin));
    assertThat(refused.violations()).containsExactly(new Violation(1, "", "", "is not UTF-8"));
    byte[] marked = ("\ufeff" + JOB).getBytes(StandardCharsets.UTF_8);
    assertThat(ManifestReader.readAll(marked)).hasSize(1);
  }

  @Test
  void treesFromElsewhereAreReadWithTheSameCare() {
    ObjectNode job = ManifestWriter.toJson(ManifestReader.readJob(JOB));
    ObjectNode spec = (ObjectNode) job.get("spec");
    spec.putObject("requests").set("cpu", DoubleNode.valueOf(Double.NaN));
    spec.putPOJO("queue", new Object());
    spec.set("image", BinaryNode.valueOf(new byte[] {1}));
    spec.put("maxFailures", 1L << 40);
    spec.put("priorityClass", "half \ud800");
    InvalidManifestException refused =
        catchThrowableOfType(InvalidManifestException.class, () -> ManifestReader.readJob(job));
    assertThat(refused.violations())
        .extracting(Violation::path)
        .containsExactly(
            "spec.queue",
            "spec.priorityClass",
            "spec.image",
            "spec.requests[cpu]",
            "spec.maxFailures");
    assertThat(
            catchThrowableOfType(
                InvalidManifestException.class,
                () -> ManifestReader.readJob(MissingNode.getInstance())))
        .hasMessageContaining("must be an object");
    assertThat(
            catchThrowableOfType(
                InvalidManifestException.class,
                () -> ManifestReader.readJob(JsonNodeFactory.instance.nullNode())))
        .hasMessageContaining("must be an object");
  }

  private static List<Violation> violations(String text) {
    InvalidManifestException refused =
        catchThrowableOfType(InvalidManifestException.class, () -> ManifestReader.readAll(text));
    assertThat(refused).as("it was taken: %.200s", text).isNotNull();
    return refused.violations();
  }
}
