// SPDX-License-Identifier: Apache-2.0
/**
 * Rules of teams: what their parts of the quota tree add up to, how they may be written, and what
 * their administrators may edit. Most of it is pure: it compares objects before and after an edit.
 */
@NullMarked
package io.sluice.scheduler.submission.team;

import org.jspecify.annotations.NullMarked;
