// SPDX-License-Identifier: Apache-2.0
/** Measures the engine and loads a live server. It is no part of the product's run time. */
@NullMarked
package io.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;
