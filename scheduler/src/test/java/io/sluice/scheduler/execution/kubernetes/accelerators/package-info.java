// SPDX-License-Identifier: Apache-2.0
/** Tests of chip metrics, scraped from a server on loopback. They use no cluster. */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.accelerators;

import org.jspecify.annotations.NullMarked;
