// SPDX-License-Identifier: Apache-2.0
/** Roles that teams and role bindings give. It authenticates nobody. */
@NullMarked
package io.sluice.scheduler.security.given;

import org.jspecify.annotations.NullMarked;
