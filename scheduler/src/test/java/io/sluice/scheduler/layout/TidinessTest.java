// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.layout;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Files and methods stay small. What is larger stands here with its reason; whoever makes it small
 * again takes it off the list, so that the list only ever gets shorter.
 */
class TidinessTest {
  private static final int FILE_LINES_MAX = 500;
  private static final int METHOD_LINES_MAX = 50;

  private static final Map<String, String> LARGE_FILES =
      Map.of(
          "Plan.java",
          "planned starts and the forecast that they rest on change together, call by call");
  private static final Map<String, String> LONG_METHODS = Map.of();

  private static final Map<String, Integer> FILES = new TreeMap<>();
  private static final Map<String, Integer> METHODS = new TreeMap<>();

  @BeforeAll
  static void measure() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Production.checkout())) {
      for (Path sources : modules.map(module -> module.resolve("src")).toList()) {
        if (Files.isDirectory(sources)) {
          try (Stream<Path> all = Files.walk(sources)) {
            all.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
          }
        }
      }
    }
    for (Path file : files) {
      try (Stream<String> lines = Files.lines(file)) {
        FILES.put(file.getFileName().toString(), (int) lines.count());
      }
    }
    measureMethods(files);
  }

  private static void measureMethods(List<Path> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager sources = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, sources, null, null, null, sources.getJavaFileObjectsFromPaths(files));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        unit.accept(new Methods(unit, positions), null);
      }
    }
  }

  /** Measures each method from its first line, annotations included, to its closing brace. */
  private static final class Methods extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    Methods(CompilationUnitTree unit, SourcePositions positions) {
      this.unit = unit;
      this.positions = positions;
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
      LineMap lines = unit.getLineMap();
      long from = lines.getLineNumber(positions.getStartPosition(unit, method));
      long to = lines.getLineNumber(positions.getEndPosition(unit, method));
      String file = Path.of(unit.getSourceFile().getName()).getFileName().toString();
      METHODS.merge(file + " " + method.getName(), (int) (to - from + 1), Math::max);
      return super.visitMethod(method, null);
    }
  }

  private static List<String> over(Map<String, Integer> measured, int linesMax) {
    return measured.entrySet().stream()
        .filter(entry -> entry.getValue() > linesMax)
        .map(Map.Entry::getKey)
        .toList();
  }

  @Test
  void everyModuleIsMeasured() {
    assertThat(FILES)
        .containsKeys(
            "QuotaTree.java", "ServerStart.java", "FleetReader.java", "TidinessTest.java");
    assertThat(METHODS).hasSizeGreaterThan(1_000).containsKey("TidinessTest.java measureMethods");
    assertThat(METHODS.get("TidinessTest.java measureMethods")).isBetween(5, METHOD_LINES_MAX);
  }

  @Test
  void aLargeFileStandsOnTheListWithItsReason() {
    assertThat(over(FILES, FILE_LINES_MAX))
        .containsExactlyInAnyOrderElementsOf(LARGE_FILES.keySet());
  }

  @Test
  void aLongMethodStandsOnTheListWithItsReason() {
    assertThat(over(METHODS, METHOD_LINES_MAX))
        .containsExactlyInAnyOrderElementsOf(LONG_METHODS.keySet());
  }
}
