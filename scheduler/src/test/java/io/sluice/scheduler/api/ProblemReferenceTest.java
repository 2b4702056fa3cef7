// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Violation;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each kind of problem has a code, a page and a place in the reference. */
class ProblemReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "problems.md");
  private static final String MARK = "<!-- generated from here -->\n";
  private static final String WRITE = "reference.write";

  @Test
  void theReferenceIsCurrent() throws IOException {
    String page = Files.readString(PAGE);
    int mark = page.indexOf(MARK);
    assertThat(mark).as(PAGE + " has the line " + MARK).isNotNegative();
    String current = page.substring(0, mark + MARK.length()) + "\n" + ProblemPages.reference();
    if (System.getProperty(WRITE) != null) {
      Files.writeString(PAGE, current);
    }
    assertThat(Files.readString(PAGE))
        .as(
            "to write it anew: ./mvnw -pl scheduler -am test -Dtest=ProblemReferenceTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -D"
                + WRITE)
        .isEqualTo(current);
  }

  @Test
  void codesAndTitlesAreUnique() {
    assertThat(Stream.of(ProblemKind.values()).map(ProblemKind::code)).doesNotHaveDuplicates();
    assertThat(Stream.of(ProblemKind.values()).map(ProblemKind::title)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(ProblemKind.class)
  void aKindIsFoundByItsCodeAndItsPageSaysWhatToDo(ProblemKind kind) {
    assertThat(kind.code()).matches("[a-z]+(-[a-z]+)*");
    assertThat(kind.type()).isEqualTo("/problems/" + kind.code());
    assertThat(ProblemKind.of(kind.code())).contains(kind);
    assertThat(new ProblemResource().get(kind.code()))
        .startsWith(kind.code() + "\n")
        .contains("Status " + kind.status() + ", title: " + kind.title() + "\n", "What to do: ");
    assertThat(List.of(kind.meaning(), kind.remedy()))
        .allSatisfy(text -> assertThat(text).matches("(?s)[A-Z`].*[^ ]\\."));
  }

  @ParameterizedTest
  @EnumSource(ProblemKind.class)
  void answersThatSaySoLaterHaveRetryAfter(ProblemKind kind) {
    Response answer = ProblemAnswers.of(kind, "for a reason");
    assertThat(answer.getStatus()).isEqualTo(kind.status());
    assertThat(answer.getHeaders().containsKey(HttpHeaders.RETRY_AFTER))
        .isEqualTo(kind.status() == 429 || kind.status() == 503);
  }

  @Test
  void aDocumentHasItsMembersInOrderAndViolationsOnlyOfFields() {
    ObjectNode plain = ProblemAnswers.document(ProblemKind.IN_USE, "cpus is in use");
    assertThat(plain)
        .hasToString(
            "{\"type\":\"/problems/in-use\",\"code\":\"in-use\",\"title\":\"In use\","
                + "\"status\":409,\"detail\":\"cpus is in use\"}");
    Response fields =
        ProblemAnswers.of(
            ProblemKind.REFUSED,
            "spec.queue: is required",
            List.of(new Violation(2, "spec.queue", "", "is required")));
    assertThat(fields.getEntity().toString())
        .endsWith(
            "\"violations\":[{\"document\":2,\"path\":\"spec.queue\",\"value\":\"\","
                + "\"message\":\"is required\"}]}");
  }
}
