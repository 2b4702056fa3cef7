// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.quarkus.security.ForbiddenException;

/** An edit goes beyond what a team has, or beyond what its administrators may edit. */
public final class OverreachException extends ForbiddenException {
  private static final long serialVersionUID = 1L;

  /** A refusal with its reason. */
  OverreachException(String reason) {
    super(reason);
  }
}
