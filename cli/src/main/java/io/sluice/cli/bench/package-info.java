// SPDX-License-Identifier: Apache-2.0
/**
 * The command that submits a load of short jobs to a server and measures how the server copes with
 * it. It decides nothing about jobs: times of admissions and ends are those that the server
 * recorded.
 */
@NullMarked
package io.sluice.cli.bench;

import org.jspecify.annotations.NullMarked;
