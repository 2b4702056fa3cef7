// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.team;

/**
 * A member of a team.
 *
 * @param name of a caller, or of a group of the identity provider
 * @param isGroup whether the name is that of a group
 */
public record Member(String name, boolean isGroup, MemberRole role) {}
