// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import io.sluice.scheduler.process.Caller.Reply;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A client that keeps the cookies of each origin and sends the headers that browsers send, but
 * decides itself which request it makes.
 */
final class Browser {
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private final Map<String, Map<String, String>> jar = new TreeMap<>();

  /** Returns the cookies that it has for an origin, by name. */
  Map<String, String> cookies(String url) {
    return jar.computeIfAbsent(origin(url), first -> new TreeMap<>());
  }

  private static String origin(String url) {
    URI uri = URI.create(url);
    return uri.getScheme() + "://" + uri.getAuthority();
  }

  /** Sends a request as a script of the same origin does. */
  Reply script(String method, String url, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of("Sec-Fetch-Site", "same-origin"));
    all.addAll(List.of("Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"));
    all.addAll(List.of(headers));
    return send(method, url, "", all.toArray(String[]::new));
  }

  /** Loads a page, as a link at another place does. */
  Reply navigate(String url) throws Exception {
    return send(
        "GET",
        url,
        "",
        "Sec-Fetch-Site",
        "cross-site",
        "Sec-Fetch-Mode",
        "navigate",
        "Sec-Fetch-Dest",
        "document");
  }

  /** Sends a request with the cookies of its origin. */
  Reply send(String method, String url, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    StringBuilder sent = new StringBuilder();
    cookies(url)
        .forEach(
            (name, value) -> sent.append(sent.isEmpty() ? "" : "; ").append(name + "=" + value));
    if (!sent.isEmpty()) {
      request.header("Cookie", sent.toString());
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    for (String set : response.headers().allValues("set-cookie")) {
      keep(url, set);
    }
    return new Reply(response.statusCode(), response);
  }

  private void keep(String url, String set) {
    String pair = set.replaceFirst(";.*", "");
    String name = pair.replaceFirst("=.*", "");
    if (set.contains("Max-Age=0")) {
      cookies(url).remove(name);
    } else {
      cookies(url).put(name, pair.substring(name.length() + 1));
    }
  }
}
