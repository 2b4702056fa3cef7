// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips the tests of a class on a machine without a browser, before they start a server. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsBrowser.Condition.class)
@interface NeedsBrowser {
  /** Looks for the program without starting it. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return SystemBrowser.program()
          .map(program -> ConditionEvaluationResult.enabled("the browser is " + program))
          .orElseGet(() -> ConditionEvaluationResult.disabled(SystemBrowser.reason()));
    }
  }
}
