// SPDX-License-Identifier: Apache-2.0
/** The parts of teams and role bindings: members, roles, ceilings. It decides about no request. */
@NullMarked
package io.sluice.queuemodel.quota.team;

import org.jspecify.annotations.NullMarked;
