// SPDX-License-Identifier: Apache-2.0
/**
 * Authentication of callers, and the rights of their roles. It does not know the operations:
 * endpoints name the role that each requires.
 */
@NullMarked
package io.sluice.scheduler.security;

import org.jspecify.annotations.NullMarked;
