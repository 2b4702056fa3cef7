// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.sharing;

import jakarta.ws.rs.NameBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an endpoint whose answers {@link SharedAnswers} may keep. Every caller may use it, and what
 * it answers depends on the address of the request and on the namespaces that the caller may read,
 * on nothing else.
 */
@NameBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Shared {}
