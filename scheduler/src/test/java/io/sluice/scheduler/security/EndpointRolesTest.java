// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * No endpoint is forgotten: each names the right that it needs, but for those that must answer
 * before anybody is known.
 */
class EndpointRolesTest {
  private static final Set<String> OPEN = Set.of("ProblemResource", "SignInResource");

  /** Every caller begins and ends its own sessions, whatever it may change otherwise. */
  private static final Set<String> OWN = Set.of("SessionResource", "SessionsResource");

  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

  private record Endpoint(String name, String verb, List<String> roles) {}

  private static List<Endpoint> endpoints() {
    List<Endpoint> endpoints = new ArrayList<>();
    for (JavaClass type : new ClassFileImporter().importPackages("io.sluice.scheduler")) {
      if (type.isAnnotatedWith(Path.class)) {
        type.getMethods().forEach(method -> add(type, method, endpoints));
      }
    }
    return endpoints;
  }

  private static void add(JavaClass type, JavaMethod method, List<Endpoint> endpoints) {
    method.getAnnotations().stream()
        .filter(annotation -> annotation.getRawType().isAnnotatedWith(HttpMethod.class))
        .map(annotation -> annotation.getRawType().getAnnotationOfType(HttpMethod.class).value())
        .forEach(
            verb -> endpoints.add(new Endpoint(method.getFullName(), verb, roles(type, method))));
  }

  private static List<String> roles(JavaClass type, JavaMethod method) {
    if (method.isAnnotatedWith(RolesAllowed.class)) {
      return List.of(method.getAnnotationOfType(RolesAllowed.class).value());
    }
    return type.isAnnotatedWith(RolesAllowed.class)
        ? List.of(type.getAnnotationOfType(RolesAllowed.class).value())
        : List.of();
  }

  @Test
  void onlyWhatMustAnswerBeforeASignInIsOpenToAll() {
    assertThat(new ClassFileImporter().importPackages("io.sluice.scheduler"))
        .filteredOn(type -> type.isAnnotatedWith(PermitAll.class))
        .extracting(JavaClass::getSimpleName)
        .containsExactlyInAnyOrderElementsOf(OPEN);
    assertThat(endpoints())
        .filteredOn(EndpointRolesTest::isOpen)
        .extracting(Endpoint::verb)
        .containsOnly("GET");
  }

  private static boolean isOpen(Endpoint endpoint) {
    return isOf(endpoint, OPEN);
  }

  private static boolean isOf(Endpoint endpoint, Set<String> classes) {
    return classes.stream().anyMatch(name -> endpoint.name().contains("." + name + "."));
  }

  @Test
  void eachEndpointNamesOneRightAndReadersChangeNothing() {
    List<Endpoint> endpoints = endpoints();

    assertThat(endpoints).hasSizeGreaterThan(15);
    assertThat(endpoints)
        .filteredOn(endpoint -> !isOpen(endpoint))
        .allSatisfy(
            endpoint -> {
              assertThat(endpoint.roles())
                  .hasSize(1)
                  .isSubsetOf(
                      Arrays.stream(Right.values()).map(Right::word).collect(Collectors.toSet()));
              if (!READS.contains(endpoint.verb()) && !isOf(endpoint, OWN)) {
                assertThat(endpoint.roles()).doesNotContain(Right.READS, Right.AUDITS);
              }
            });
  }
}
