// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips tests unless they run as root on Linux: only root can run jobs as other accounts. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsRoot.Condition.class)
@interface NeedsRoot {
  /** Looks at the owner of this process. */
  final class Condition implements ExecutionCondition {
    private static final Path SELF = Path.of("/proc/self");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      try {
        return Files.getAttribute(SELF, "unix:uid").equals(0)
            ? ConditionEvaluationResult.enabled("the tests run as root")
            : ConditionEvaluationResult.disabled(
                "the tests do not run as root, and only root can run jobs as other accounts");
      } catch (IOException | UnsupportedOperationException notLinux) {
        return ConditionEvaluationResult.disabled("this machine has no " + SELF);
      }
    }
  }
}
