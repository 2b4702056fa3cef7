// SPDX-License-Identifier: Apache-2.0
/**
 * Answers API servers that ask, before they create or change an object, what is to become of it:
 * what the policies of adoption say where those are. It knows only what it is asked with; it looks
 * at no cluster and no database, and decides nothing about admission to quota.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.webhook;

import org.jspecify.annotations.NullMarked;
