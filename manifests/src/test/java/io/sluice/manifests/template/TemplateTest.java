// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TemplateTest {
  private static final JsonMapper JSON = new JsonMapper();

  private final List<Template.Fault> faults = new ArrayList<>();

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException notJson) {
      throw new AssertionError(notJson);
    }
  }

  private JsonNode expand(String template) {
    JsonNode values =
        json("{'name': 'web', 'count': 8, 'ok': true, 'list': ['a', 'b'], 'none': null}");
    TemplateScope scope = expression -> expression.in(values, 0);
    return new Template(json(template)).expand(scope, faults);
  }

  @Test
  void anExpressionAloneBecomesTheValueItself() {
    assertThat(expand("{'a': '${{ count }}', 'b': ['${{list}}', '${{ ok }}'], 'c': '${{ none }}'}"))
        .isEqualTo(json("{'a': 8, 'b': [['a', 'b'], true], 'c': null}"));
    assertThat(faults).isEmpty();
  }

  @Test
  void whereAJobTakesTextsOnlyAValueBecomesOne() {
    JsonNode values = json("{'count': 8, 'ok': true, 'list': ['a', 1]}");
    String job =
        "{'command': ['run', '${{ count }}', '${{ list }}'], 'args': '${{ list }}',"
            + " 'env': {'A': '${{ ok }}'},"
            + " 'pods': [{'env': [{'name': 'N', 'value': '${{ count }}'}]}],"
            + " 'labels': {'sluice.io/n': '${{ count }}'}, 'replicas': '${{ count }}'}";
    JsonNode expanded =
        new Template(json(job)).expandJob(expression -> expression.in(values, 0), faults);
    assertThat(expanded.at("/command/2").textValue()).isEqualTo("[\"a\",1]");
    ((ArrayNode) expanded.get("command")).remove(2);
    assertThat(expanded)
        .isEqualTo(
            json(
                "{'command': ['run', '8'], 'args': ['a', 1], 'env': {'A': 'true'},"
                    + " 'pods': [{'env': [{'name': 'N', 'value': '8'}]}],"
                    + " 'labels': {'sluice.io/n': '8'}, 'replicas': 8}"));
    assertThat(faults).isEmpty();
  }

  @Test
  void insideTextValuesBecomeText() {
    assertThat(expand("'--of=${{ name }}-${{ count }}${{ ok }}.'"))
        .isEqualTo(json("'--of=web-8true.'"));
    assertThat(faults).isEmpty();
  }

  @Test
  void aListOrNothingCannotStandInsideAText() {
    expand("{'a': 'x${{ list }}', 'b': ['${{ none }}y']}");
    assertThat(faults).extracting(Template.Fault::place).containsExactly("a", "b[0]");
    assertThat(faults.get(0).message()).contains("is a list, which cannot stand inside a text");
    assertThat(faults.get(1).message()).contains("is null");
  }

  @Test
  void aSecondDollarSignKeepsWhatIsWritten() {
    assertThat(expand("'$${{ name }} and $5 and ${HOME} and ${{ name }}'"))
        .isEqualTo(json("'${{ name }} and $5 and ${HOME} and web'"));
    assertThat(faults).isEmpty();
  }

  @Test
  void whatIsNotThereIsNamedWithItsPlace() {
    expand("{'spec': {'command': ['a', '${{ list.7 }}', '${{ name.first }}', '${{ nobody }}']}}");
    assertThat(faults)
        .extracting(Template.Fault::place)
        .containsExactly("spec.command[1]", "spec.command[2]", "spec.command[3]");
    assertThat(faults.get(0).message()).isEqualTo("list.7 is not there: list has no 7");
  }

  @Test
  void entriesOfListsAreNamedByTheirNumbers() {
    assertThat(expand("'${{ list.1 }}'")).isEqualTo(json("'b'"));
  }

  @Test
  void keysAreNeverExpressions() {
    assertThat(expand("{'${{ name }}': 1}")).isEqualTo(json("{'${{ name }}': 1}"));
  }

  @Test
  void expressionsAreFoundWhereverTheyStand() {
    List<Template.Placed> found =
        new Template(json("{'a': ['x ${{ b.c }} ${{ d }}'], 'e': {'f': '${{ g }}'}, 'h': 1}"))
            .expressions(faults);
    assertThat(found)
        .extracting(placed -> placed.place() + " " + placed.expression())
        .containsExactly("a[0] b.c", "a[0] d", "e.f g");
  }

  @Test
  void anythingButAPathIsRefused() {
    new Template(json("['${{ a + b }}', '${{ f() }}', '${{}}', '${{ a..b }}', '${{ open']"))
        .expressions(faults);
    assertThat(faults).hasSize(5);
    assertThat(faults.get(4).message()).isEqualTo("has ${{ without }}");
  }
}
