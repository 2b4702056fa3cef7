// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Marks a test class that uses a {@link ControlPlane}. These classes run one at a time, and first,
 * since together they take longest.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Order(1)
@ResourceLock("io.sluice.scheduler.kube.ControlPlane")
public @interface OnControlPlane {}
