// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.options.WrongUsageException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The values of -o, on two jobs. */
class OutputFormTest {
  private static final String JOBS =
      """
      [{"metadata": {"name": "sweep", "labels": {"a.b/c": "x"}}, "status": {"state": "RUNNING", \
      "attempts": 3, "held": true, "until": null}, "spec": {"command": ["sh", "-c", "true"]}},
       {"metadata": {"name": "train"}, "status": {"state": "PENDING", "attempts": 0}}]
      """;

  private static List<JsonNode> jobs() throws Exception {
    List<JsonNode> jobs = new ArrayList<>();
    new ObjectMapper().readTree(JOBS).forEach(jobs::add);
    return jobs;
  }

  private static List<String> list(String form) throws Exception {
    return OutputForm.parse(form, "table").list(jobs());
  }

  private static List<String> first(String form) throws Exception {
    return OutputForm.parse(form, "table").object(jobs().get(0));
  }

  @Test
  void pathsSelectFieldsItemsAndParts() throws Exception {
    assertThat(first("jsonpath={.metadata.name}")).containsExactly("sweep");
    assertThat(first("jsonpath={$.status.attempts}")).containsExactly("3");
    assertThat(first("jsonpath={.metadata.labels['a.b/c']}")).containsExactly("x");
    assertThat(first("jsonpath={.metadata.labels.a\\.b/c}")).containsExactly("x");
    assertThat(first("jsonpath={.spec.command[0]} {.spec.command[-1]}")).containsExactly("sh true");
    assertThat(first("jsonpath={.spec.command[1:]}")).containsExactly("-c true");
    assertThat(first("jsonpath={.spec.command[:-1]}")).containsExactly("sh -c");
    assertThat(first("jsonpath={.spec.command}")).containsExactly("[\"sh\",\"-c\",\"true\"]");
    assertThat(first("jsonpath={.status.*}")).containsExactly("RUNNING 3 true ");
    assertThat(first("jsonpath={.nothing.here[3].x}, {.status.until}")).containsExactly(", ");
    assertThat(list("jsonpath={.items[*].metadata.name}")).containsExactly("sweep train");
    assertThat(list("jsonpath={.items[?(@.status.state==\"PENDING\")].metadata.name}"))
        .containsExactly("train");
    assertThat(list("jsonpath={.items[?(@.status.state!='PENDING')].metadata.name}"))
        .containsExactly("sweep");
    assertThat(list("jsonpath={.items[?(@.status.held)].metadata.name}")).containsExactly("sweep");
    assertThat(list("jsonpath={.items[?(@.status.attempts==0)].metadata.name}"))
        .containsExactly("train");
  }

  @Test
  void rangesRepeatTheirContent() throws Exception {
    assertThat(
            list(
                "jsonpath={range .items[*]}{.metadata.name}{\"\\t\"}{@.status.state}{'}'}{\"\\n\"}"
                    + "{end}"))
        .containsExactly("sweep\tRUNNING}", "train\tPENDING}");
    assertThat(list("jsonpath={range .items[*]}{range .spec.command[*]}<{@}>{end};{end}"))
        .containsExactly("<sh><-c><true>;;");
  }

  @Test
  void columnsHaveHeadersAndAWordForNoValue() throws Exception {
    assertThat(
            list(
                "custom-columns=NAME:.metadata.name,LABEL:{.metadata.labels['a.b/c']},"
                    + "COMMAND:spec.command[*]"))
        .containsExactly(
            "NAME    LABEL    COMMAND", "sweep   x        sh,-c,true", "train   <none>   <none>");
    assertThat(first("custom-columns=STATE:.status.state")).containsExactly("STATE", "RUNNING");
  }

  @Test
  void jsonAndYamlAreOfTheWholeObjectOrList() throws Exception {
    JsonNode back = new ObjectMapper().readTree(String.join("\n", list("json")));
    assertThat(back.path("items")).hasSize(2);
    assertThat(first("yaml")).contains("---", "  name: sweep");
  }

  @Test
  void errorsNameWhatIsNotSupported() {
    for (String[] wrong :
        new String[][] {
          {"jsonpath=.metadata.name", "needs a path in braces"},
          {"jsonpath={.metadata", "a brace that is not closed"},
          {"jsonpath={..name}", "\"..\" (descendants), which is not supported"},
          {"jsonpath={.items[0,1]}", "union"},
          {"jsonpath={.items[0:4:2]}", "step"},
          {"jsonpath={.items[}", "needs an index"},
          {"jsonpath={.items[?(@.a<3)]}", "a filter is ?(@.path)"},
          {"jsonpath={.a b}", "cannot be followed by \"b\""},
          {"jsonpath={range .items[*]}", "without its {end}"},
          {"jsonpath={end}", "without its {range}"},
          {"jsonpath={.items[99999999999]}", "not a number"},
          {"custom-columns=NAME", "HEADER:PATH"},
          {"custom-columns=NAME:.a..b", "not supported"},
          {"go-template={{.a}}", "-o must be table, json, yaml, jsonpath=TEMPLATE"},
        }) {
      assertThatThrownBy(() -> OutputForm.parse(wrong[0], "table"))
          .as(wrong[0])
          .isInstanceOf(WrongUsageException.class)
          .hasMessageContaining(wrong[1]);
    }
    assertThatThrownBy(() -> OutputForm.parse("jsonpath={" + ".a".repeat(3000) + "}"))
        .hasMessageContaining("at most 4096 characters");
  }
}
