// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

/** What an index of pending jobs keeps at a job, so that it finds it without a search. */
public interface PendingMark {}
