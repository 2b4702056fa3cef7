// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import jakarta.ws.rs.NameBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An endpoint whose answer comes from this server's view. Its answer says the sequence; its request
 * may ask for one.
 */
@NameBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface FromView {}
