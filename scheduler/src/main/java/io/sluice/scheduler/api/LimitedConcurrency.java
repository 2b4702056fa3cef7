// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The endpoint answers 429 while it handles as many requests as it may at once. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface LimitedConcurrency {}
