// SPDX-License-Identifier: Apache-2.0
/**
 * Who calls, and what callers of a role may do. It does not know what there is to be done: the
 * endpoints name the role that each needs.
 */
@NullMarked
package io.sluice.scheduler.security;

import org.jspecify.annotations.NullMarked;
