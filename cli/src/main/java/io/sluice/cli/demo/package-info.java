// SPDX-License-Identifier: Apache-2.0
/** The demonstration: scripted jobs on a real server. It decides nothing itself. */
@NullMarked
package io.sluice.cli.demo;

import org.jspecify.annotations.NullMarked;
