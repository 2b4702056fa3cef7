// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The kinds of problems that this server answers with: a closed set. Each has a code, which never
 * changes, and a page at {@code /problems/CODE}. The reference {@code docs/reference/problems.md}
 * is generated from the texts here.
 */
public enum ProblemKind {
  INVALID_MANIFEST(
      400,
      "Invalid manifest",
      "The form of the body alone shows that it is not a correct manifest: it is not JSON or YAML,"
          + " a field is unknown or missing, or a value is not allowed.",
      "Correct the fields in `violations`. Each has the document, the path and the value, and a"
          + " message that says what a correct value would be."),
  BAD_REQUEST(
      400,
      "Bad request",
      "A parameter of the path or query, a header, or a field of a body that is not a manifest is"
          + " missing, is given twice, or has a value that is not allowed.",
      "Correct the value that `detail` names. It also says which values are allowed."),
  UNKNOWN_PARAMETER(
      400,
      "Unknown parameter",
      "The query has a parameter that the endpoint does not have. The server does not ignore it,"
          + " because a misspelled filter would then return everything.",
      "Remove or rename the parameter. `detail` lists those of the endpoint."),
  UNEXPECTED_BODY(
      400,
      "Unexpected body",
      "The request has a body, and the endpoint reads none.",
      "Send no body. `detail` lists the query parameters of the endpoint, if it has any."),
  INVALID_CURSOR(
      400,
      "Invalid cursor",
      "The parameter `cursor` was not returned by this list.",
      "Send the `nextCursor` of the previous page of the same list, unchanged. Without a cursor,"
          + " the list starts at its first page."),
  UNAUTHORIZED(
      401,
      "Unauthorized",
      "The request has no token and no session, or the token or session is unknown, was revoked, or"
          + " has expired. `detail` says which, and what is wrong with a token of the identity"
          + " provider.",
      "Send the header `Authorization: Bearer` with a valid token. `./sluice token create` creates"
          + " one. The token of the server's own account is in the file `token` of its data"
          + " directory. In a browser, sign in again."),
  FORBIDDEN(
      403,
      "Forbidden",
      "The caller is known, but its role or its namespaces do not allow the request.",
      "Use a token with the necessary role and namespace. An administrator of the server gives"
          + " one."),
  HOST_NOT_ALLOWED(
      403,
      "Host not allowed",
      "The header `Host`, `Origin` or `Sec-Fetch-Site` names a place other than this server. The"
          + " check protects the server from pages of other places in a browser.",
      "Call the server by an address that it listens on, or start it with `--allowed-host` for the"
          + " name that is used."),
  CROSS_SITE_REQUEST(
      403,
      "Cross-site request",
      "A cookie alone names the caller, and nothing shows that the request comes from a page of this"
          + " server. Nothing was changed.",
      "From a page, send it to the server's own origin: the browser then sends `Sec-Fetch-Site:"
          + " same-origin`. From a program, send a token in `Authorization` in place of the cookie."),
  NOT_FOUND(
      404,
      "Not found",
      "The path is correct, but the job, object, attempt or log that it names does not exist.",
      "Check the name or id in `detail` against the list of its kind."),
  UNKNOWN_PATH(
      404,
      "Unknown path",
      "The server has no endpoint at this path.",
      "Compare the path with the endpoints in `docs/reference/rest.md`."),
  METHOD_NOT_ALLOWED(
      405,
      "Method Not Allowed",
      "The path exists, but not with this method.",
      "Compare the method with those of the endpoint in `docs/reference/rest.md`."),
  NOT_ACCEPTABLE(
      406,
      "Not Acceptable",
      "The header `Accept` excludes the media type of the answer.",
      "Send no `Accept` header, or one that includes the type of the answer:"
          + " `application/json`, and `text/plain` for logs."),
  CONFLICT(
      409,
      "Conflict",
      "The present state of the object does not allow the request: for example, the job has ended,"
          + " or the run has not.",
      "Read the object again. `detail` names its state, and often the states that would do."),
  PLANNED_STARTS_MOVE(
      409,
      "Planned starts would move",
      "The time limit is longer than the present one of the job, and would move planned starts of"
          + " other jobs. Nothing was changed.",
      "Choose a shorter limit: `detail` names the jobs, whose planned starts `GET /v1/plan` shows."
          + " An administrator may override."),
  ALREADY_EXISTS(
      409,
      "Already exists",
      "An object of this kind and name exists already.",
      "Change it with `PUT` or `POST /v1/apply`, or choose another name."),
  IN_USE(
      409,
      "In use",
      "Other objects or jobs use the object, so it cannot be deleted.",
      "Delete the objects that `detail` names, or make them use another one. Then repeat the"
          + " request."),
  IDEMPOTENCY_KEY_REUSED(
      409,
      "Idempotency-Key reused",
      "The `Idempotency-Key` was used before, for a different request. Nothing was stored.",
      "Choose a new key for each new request. Repeat a request with its own key only unchanged."),
  AMBIGUOUS_NAME(
      409,
      "Ambiguous name",
      "The name matches several objects. `candidates` lists them.",
      "Name one of the candidates by its namespace or its id."),
  OTHER_ENGINE(
      409,
      "Decided by another engine",
      "Another version of the engine decided the batch, so this server cannot decide it again.",
      "Ask a server of the engine version that `detail` names."),
  CONTRADICTION(
      409,
      "Contradiction",
      "The records of the journal before the batch contradict each other.",
      "This is a fault of Sluice or of the database. Keep a backup, and report the text of"
          + " `detail`."),
  KUEUE_UNREADABLE(
      409,
      "Kueue cannot be read",
      "The cluster answered, but the objects of its Kueue cannot be read. Nothing was changed.",
      "`detail` has the reason. Correct the cluster's objects or the server's rights in the cluster,"
          + " and repeat the request."),
  GONE(
      410,
      "Past its retention",
      "The server has deleted the requested part of its history.",
      "Ask for a later part. `up --history-retention` sets how long a server keeps its history."),
  PRECONDITION_FAILED(
      412,
      "Precondition failed",
      "The object has changed: its generation is not the one in `If-Match`. Nothing was changed.",
      "Read the object again, make the change to the new version, and send its `ETag` as"
          + " `If-Match`. The answer already has the present `ETag`."),
  BODY_TOO_LARGE(
      413,
      "Body too large",
      "The body is larger than the endpoint reads: 8 MiB, and less for a checkpoint. The server"
          + " closes the connection of a caller that sends over 64 MiB without announcing it.",
      "Send less in one request, for example jobs in several requests of up to 1,000."),
  URI_TOO_LONG(
      414,
      "URI too long",
      "The path and the query of the request have more than 8,192 characters together.",
      "Use a shorter filter, or several requests. A request line of over 64 KiB gets the status"
          + " alone, without a problem document."),
  UNSUPPORTED_MEDIA_TYPE(
      415,
      "Unsupported Media Type",
      "The header `Content-Type` has no correct form.",
      "Send `application/yaml` or `application/json`. The server reads both whatever the header"
          + " says."),
  REFUSED(
      422,
      "Refused",
      "The request is well-formed, but can never be satisfied as things are: it names an object"
          + " that does not exist, or asks for more than the fleet or a limit allows. Nothing was"
          + " stored.",
      "`violations` or `detail` names the field and the reason. Correct the field, or create what it"
          + " names first."),
  TOO_MANY_PENDING_JOBS(
      429,
      "Too many pending jobs",
      "A LocalQueue limits the pending jobs of one submitter. `detail` names the queue, the"
          + " submitter, the limit and the number of jobs. Nothing was stored.",
      "Repeat the request after other jobs of the submitter were admitted or have ended.",
      30),
  TOO_MANY_REQUESTS(
      429,
      "Too many requests",
      "The caller, or the address of a sender without a valid token, has sent more requests than"
          + " `up --request-rate` allows. The request was not read.",
      "Repeat the request after the given time, and send fewer: a list in place of single objects,"
          + " a bulk submission in place of single jobs, a watch in place of polling.",
      1),
  TOO_MANY_SIMULATIONS(
      429,
      "Too many simulations",
      "The server runs as many simulations as it may at once.",
      "Repeat the request after the given time.",
      5),
  INTERNAL_ERROR(
      500,
      "Internal error",
      "This is a fault of Sluice.",
      "Report it, with the entry of the server's log to which `detail` refers. With an"
          + " `Idempotency-Key`, a submission can be repeated safely."),
  OVERLOADED(
      503,
      "Overloaded",
      "The server would need more memory or time than it has for such requests. For example, more"
          + " than 20,000 jobs wait to be written, 32 requests already read logs, another preview,"
          + " recheck or backup is in progress, or a preview or simulation would copy more jobs"
          + " than the heap has room for. Nothing was changed.",
      "Repeat the request, with longer pauses each time. If the heap is too small, start the server"
          + " with a larger one.",
      1),
  NOT_THERE_YET(
      503,
      "Not there yet",
      "This server has not yet reached the sequence of the header `Sluice-Wait-For`, or an edit that"
          + " precedes the one to preview.",
      "Repeat the request.",
      1),
  DATABASE_UNAVAILABLE(
      503,
      "Database not available",
      "The database did not answer in time. The outcome of a write is unknown.",
      "Repeat the request. For submissions, an `Idempotency-Key` makes this safe.",
      1),
  CLUSTER_UNAVAILABLE(
      503,
      "Cluster not available",
      "The Kubernetes cluster did not answer. Nothing was changed.",
      "Repeat the request when the cluster is reachable from the server.",
      1),
  IDENTITY_PROVIDER_UNAVAILABLE(
      503,
      "Identity provider not available",
      "The identity provider did not answer, so the server cannot check a token of it, or cannot"
          + " finish a sign-in. Tokens of Sluice and sessions are not affected.",
      "Repeat the request when the identity provider is reachable from the server.",
      5);

  /** The path of the pages, to which {@link #type} leads. */
  static final String PATH = "/problems";

  private final int status;
  private final String title;
  private final String meaning;
  private final String remedy;
  private final int retryAfterSeconds;

  ProblemKind(int status, String title, String meaning, String remedy) {
    this(status, title, meaning, remedy, 0);
  }

  ProblemKind(int status, String title, String meaning, String remedy, int retryAfterSeconds) {
    this.status = status;
    this.title = title;
    this.meaning = meaning;
    this.remedy = remedy;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The kind of a code; empty if there is none. */
  static Optional<ProblemKind> of(String code) {
    return Stream.of(values()).filter(kind -> kind.code().equals(code)).findFirst();
  }

  /** The word for programs. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The reference of this kind: the absolute path of its page on every server. */
  String type() {
    return PATH + "/" + code();
  }

  public int status() {
    return status;
  }

  String title() {
    return title;
  }

  /** When such an answer is given. */
  public String meaning() {
    return meaning;
  }

  /** What the caller can do about it. */
  String remedy() {
    return remedy;
  }

  /** After how many seconds the request may be repeated unchanged; 0: repeating does not help. */
  public int retryAfterSeconds() {
    return retryAfterSeconds;
  }
}
