// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

/** A job's position in its index of pending jobs, kept at the job to avoid a search. */
public interface PendingMark {}
