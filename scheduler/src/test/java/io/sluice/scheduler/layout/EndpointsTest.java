// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.layout;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of the REST interface has each endpoint with its methods, and no other. */
class EndpointsTest {
  private static final Set<String> OF_THE_FRAMEWORK = Set.of("/openapi", "/api");
  private static final Pattern ROW =
      Pattern.compile("^\\| ([A-Z]+(?:, [A-Z]+)*) \\| ([^|]*) \\|.*");
  private static final Pattern PATH = Pattern.compile("`([^`?]*)[^`]*`");
  private static final Pattern VARIABLE = Pattern.compile("\\{[^}]*}");
  private static final Map<Class<? extends Annotation>, String> METHODS =
      Map.of(GET.class, "GET", POST.class, "POST", PUT.class, "PUT", DELETE.class, "DELETE");

  @Test
  void thePageHasEachEndpoint() throws IOException {
    Set<String> served = served();
    assertThat(served).hasSizeGreaterThan(50).contains("POST /v1/jobs", "GET /v1/jobs/{}/logs");
    assertThat(listed()).isEqualTo(served);
  }

  private static Set<String> served() {
    Set<String> served = new TreeSet<>();
    for (JavaClass resource : Production.classes()) {
      if (!resource.isAnnotatedWith(Path.class)) {
        continue;
      }
      String root = resource.getAnnotationOfType(Path.class).value();
      for (JavaMethod method : resource.getMethods()) {
        String below = method.tryGetAnnotationOfType(Path.class).map(Path::value).orElse("");
        METHODS.forEach(
            (annotation, name) -> {
              if (method.isAnnotatedWith(annotation)) {
                served.add(name + " " + VARIABLE.matcher(root + below).replaceAll("{}"));
              }
            });
      }
    }
    return served;
  }

  /** A path that has one segment stands for the one before it with another last segment. */
  private static Set<String> listed() throws IOException {
    Set<String> listed = new TreeSet<>();
    for (String line :
        Files.readAllLines(Production.checkout().resolve("docs/reference/rest.md"))) {
      Matcher row = ROW.matcher(line);
      if (!row.matches()) {
        continue;
      }
      String last = "";
      for (Matcher path = PATH.matcher(row.group(2)); path.find(); ) {
        String words = path.group(1);
        boolean tail = words.lastIndexOf('/') == 0 && !last.isEmpty();
        last = tail ? last.substring(0, last.lastIndexOf('/')) + words : words;
        if (last.startsWith("/q/") || OF_THE_FRAMEWORK.contains(last)) {
          continue;
        }
        for (String method : List.of(row.group(1).split(", ", -1))) {
          listed.add(method + " " + normal(last));
        }
      }
    }
    return listed;
  }

  /** Kinds and versions are variables of the paths, which the page writes out. */
  private static String normal(String path) {
    return VARIABLE
        .matcher(path)
        .replaceAll("{}")
        .replace("/v1/localqueues/", "/v1/{}/")
        .replace("x-k8s.io/v1beta2/", "x-k8s.io/{}/");
  }
}
