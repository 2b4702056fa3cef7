// SPDX-License-Identifier: Apache-2.0
/**
 * The containers of Jobs, JobSets and Pods as programs of one machine, without their images: what
 * each pod runs, and what keeps a manifest from being run so.
 */
@NullMarked
package io.sluice.manifests.containers;

import org.jspecify.annotations.NullMarked;
