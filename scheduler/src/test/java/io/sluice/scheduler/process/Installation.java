// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads the files of the checkout that install Sluice in a cluster. */
public final class Installation {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern OURS = Pattern.compile("\\bsluice_[a-z_]+");

  private Installation() {}

  static Path folder() {
    return Path.of("..", "deploy").toAbsolutePath().normalize();
  }

  /** Reads all YAML documents of a folder and its subfolders. */
  public static List<JsonNode> documents() throws IOException {
    List<JsonNode> documents = new ArrayList<>();
    for (Path file : files(".yaml")) {
      documents.addAll(documents(Files.readString(file)));
    }
    return documents;
  }

  /** Reads the YAML documents of a text. */
  public static List<JsonNode> documents(String text) {
    Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
    List<JsonNode> documents = new ArrayList<>();
    yaml.loadAll(text).forEach(document -> documents.add(JSON.valueToTree(document)));
    return documents;
  }

  /** Returns the files with that ending, in order. */
  public static List<Path> files(String end) throws IOException {
    try (Stream<Path> files = Files.walk(folder())) {
      return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
    }
  }

  /** Returns the only complete object of a kind; skips patches of the overlay. */
  public static JsonNode only(String kind) throws IOException {
    return documents().stream()
        .filter(document -> document.path("kind").asText().equals(kind))
        .filter(document -> !document.path("spec").path("selector").isMissingNode())
        .findFirst()
        .orElseThrow();
  }

  /** Returns the server's container. */
  public static JsonNode container() throws IOException {
    return only("Deployment").at("/spec/template/spec/containers/0");
  }

  /** Returns the paths of the probes. */
  public static List<String> probePaths() throws IOException {
    JsonNode container = container();
    return Stream.of("startupProbe", "livenessProbe", "readinessProbe")
        .map(probe -> container.path(probe).at("/httpGet/path").asText())
        .toList();
  }

  /** Returns the parsed dashboard. */
  public static JsonNode dashboard() throws IOException {
    return JSON.readTree(folder().resolve("base").resolve("dashboard.json").toFile());
  }

  /** Returns the names of Sluice's metrics in the dashboard's queries. */
  public static Set<String> metricsOfDashboard() throws IOException {
    Set<String> names = new TreeSet<>();
    for (JsonNode panel : dashboard().path("panels")) {
      panel.path("targets").forEach(target -> addNames(target.path("expr").asText(), names));
    }
    dashboard()
        .at("/templating/list")
        .forEach(variable -> addNames(variable.path("query").asText(), names));
    return names;
  }

  private static void addNames(String query, Set<String> names) {
    Matcher matcher = OURS.matcher(query);
    while (matcher.find()) {
      names.add(matcher.group());
    }
  }
}
