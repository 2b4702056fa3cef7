// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Skips a test unless {@code SLUICE_TEST_PYTHON} names a Python that has certain packages. Accounts
 * that run jobs must be able to execute it.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsPython.Condition.class)
@interface NeedsPython {
  /** The packages. */
  String[] value();

  /** Looks for the packages without an import, which is slow. */
  final class Condition implements ExecutionCondition {
    private static final String VARIABLE = "SLUICE_TEST_PYTHON";
    private static final int PATIENCE_SECONDS = 60;

    /** Returns the path of the Python program. */
    static String python() {
      return System.getenv().getOrDefault(VARIABLE, "");
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      List<String> names =
          AnnotationSupport.findAnnotation(context.getElement(), NeedsPython.class)
              .map(needs -> List.of(needs.value()))
              .orElse(List.of());
      if (names.isEmpty()) {
        return ConditionEvaluationResult.enabled("no package is needed");
      }
      String all = String.join(", ", names);
      if (python().isEmpty()) {
        return ConditionEvaluationResult.disabled(VARIABLE + " names no Python with " + all);
      }
      for (String name : names) {
        if (!has(name)) {
          return ConditionEvaluationResult.disabled(python() + " has no package " + name);
        }
      }
      return ConditionEvaluationResult.enabled(python() + " has " + all);
    }

    private static boolean has(String name) {
      String look = "import importlib.util, sys; sys.exit(importlib.util.find_spec('%s') is None)";
      try {
        Process process = new ProcessBuilder(python(), "-c", look.formatted(name)).start();
        return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
      } catch (IOException noPython) {
        return false;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
