// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

/**
 * A document of a request.
 *
 * @param document its number, from 1, as violations name it
 */
public record Numbered<T>(int document, T value) {}
