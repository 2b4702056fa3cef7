// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.transport.ServingCertificate;
import io.sluice.scheduler.transport.ShownKeys;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.KeyCertOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * The HTTPS server for admission reviews, on its own port. It does not authenticate callers, since
 * the answer depends on the review alone. Each server of a database answers, leader or not.
 *
 * <p>Requests are bounded in size, time and concurrency. A request beyond a bound is refused, and
 * the API server applies its failure policy. Certificate files are read again when they change; an
 * invalid pair leaves the previous one in use.
 */
final class WebhookServer implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(WebhookServer.class);

  /**
   * The most bytes of a review: API servers accept objects of 3 MiB, and a review has the old and
   * the new one.
   */
  static final int BYTES_MAX = 7 * 1024 * 1024;

  private static final int UNDER_WAY_MAX = 32;
  private static final int THREADS = 2;
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(10);
  private static final Duration IDLE = Duration.ofSeconds(90);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int TOO_LONG = 408;
  private static final int TOO_LARGE = 413;
  private static final int FAILED = 500;
  private static final int TOO_MANY = 503;

  private final Vertx vertx;
  private final Settings settings;
  private final WebhookRules rules;
  private final WorkerExecutor workers;
  private final AtomicInteger underWay = new AtomicInteger();
  private final HttpServer server;
  private final long reading;
  private final ShownKeys keys;

  /** The error of the last invalid pair, to log it once. */
  private String unusable = "";

  /**
   * Settings of the server.
   *
   * @param host the address to listen on
   * @param port 0: any free one
   * @param certificate a PEM file
   * @param key a PEM file
   * @param reloadEvery interval between checks of the two files
   * @param account the name by which API servers know Sluice
   */
  record Settings(
      String host, int port, Path certificate, Path key, Duration reloadEvery, String account) {}

  private WebhookServer(Vertx vertx, Settings settings) {
    this.vertx = vertx;
    this.settings = settings;
    this.rules = new WebhookRules(settings.account());
    this.keys =
        new ShownKeys(ServingCertificate.read(vertx, settings.certificate(), settings.key()));
    this.workers = vertx.createSharedWorkerExecutor("webhook", THREADS);
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(settings.host())
            .setPort(settings.port())
            .setSsl(true)
            .setUseAlpn(true)
            .setKeyCertOptions(KeyCertOptions.wrap(keys))
            .setIdleTimeout((int) IDLE.toSeconds())
            .setIdleTimeoutUnit(TimeUnit.SECONDS);
    this.server = vertx.createHttpServer(options).requestHandler(this::take);
    this.reading = vertx.setPeriodic(settings.reloadEvery().toMillis(), timer -> reload());
  }

  /**
   * Starts a server and waits until it listens.
   *
   * @throws InvalidValueException if the certificate is invalid, or the port is taken
   */
  public static WebhookServer start(Vertx vertx, Settings settings) {
    WebhookServer started = new WebhookServer(vertx, settings);
    try {
      await(started.server.listen().toCompletionStage().toCompletableFuture());
    } catch (CompletionException failure) {
      started.close();
      throw new InvalidValueException(
          "the webhook cannot listen on %s:%d: %s"
              .formatted(settings.host(), settings.port(), rootMessage(failure)));
    }
    LOG.infof("API servers are answered on https://%s:%d", settings.host(), started.port());
    return started;
  }

  private static String rootMessage(Throwable failure) {
    Throwable cause = failure.getCause();
    return String.valueOf(cause == null ? failure.getMessage() : cause.getMessage());
  }

  private static void await(CompletableFuture<?> done) {
    done.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Returns the port on which it listens. */
  public int port() {
    return server.actualPort();
  }

  private void take(HttpServerRequest request) {
    WebhookQuestion question = WebhookQuestion.at(String.valueOf(request.path()));
    if (question == null) {
      end(request, NOT_FOUND, "nothing is asked here");
    } else if (!request.method().equals(HttpMethod.POST)) {
      end(request, METHOD_NOT_ALLOWED, "an AdmissionReview is posted");
    } else if (underWay.incrementAndGet() > UNDER_WAY_MAX) {
      underWay.decrementAndGet();
      end(request, TOO_MANY, "too many reviews are under way");
    } else {
      new Exchange(request, question).begin();
    }
  }

  private static void end(HttpServerRequest request, int status, String why) {
    request.response().setStatusCode(status).end(why + "\n").onComplete(sent -> letGo(request));
  }

  /** Stops reading a refused request. */
  private static void letGo(HttpServerRequest request) {
    if (request.isEnded()) {
      return;
    }
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset();
    } else {
      request.connection().close();
    }
  }

  private byte[] answer(WebhookQuestion question, byte[] body) {
    Review review = Review.read(body);
    return review.answer(rules.judge(question, review));
  }

  /** A request in progress; all but the decision runs on one thread. */
  private final class Exchange {
    private final HttpServerRequest request;
    private final WebhookQuestion question;
    private final Buffer body = Buffer.buffer();
    private long timer;
    private boolean ended;

    Exchange(HttpServerRequest request, WebhookQuestion question) {
      this.request = request;
      this.question = question;
    }

    void begin() {
      timer =
          vertx.setTimer(ANSWERED_WITHIN.toMillis(), late -> refuse(TOO_LONG, "it takes too long"));
      request.exceptionHandler(gone -> leave()).handler(this::take).endHandler(whole -> judge());
      request.response().exceptionHandler(gone -> leave()).closeHandler(gone -> leave());
    }

    private void take(Buffer part) {
      if (body.length() + part.length() > BYTES_MAX) {
        refuse(TOO_LARGE, "it has more than " + BYTES_MAX + " bytes");
      } else if (!ended) {
        body.appendBuffer(part);
      }
    }

    private void judge() {
      if (!ended) {
        workers
            .executeBlocking(() -> answer(question, body.getBytes()), false)
            .onSuccess(this::say)
            .onFailure(this::fail);
      }
    }

    private void say(byte[] answer) {
      if (leave()) {
        request
            .response()
            .setStatusCode(OK)
            .putHeader("Content-Type", "application/json")
            .end(Buffer.buffer(answer));
      }
    }

    private void fail(Throwable failure) {
      if (failure instanceof InvalidValueException wrong) {
        refuse(BAD_REQUEST, String.valueOf(wrong.getMessage()));
      } else {
        LOG.warnf(failure, "answering a review failed");
        refuse(FAILED, "it could not be answered");
      }
    }

    private void refuse(int status, String why) {
      if (leave()) {
        end(request, status, why);
      }
    }

    /** Ends the request; returns false if it has ended before. */
    private boolean leave() {
      if (ended) {
        return false;
      }
      ended = true;
      vertx.cancelTimer(timer);
      underWay.decrementAndGet();
      return true;
    }
  }

  private void reload() {
    workers
        .executeBlocking(this::readAgain, true)
        .onFailure(failure -> complain(String.valueOf(failure.getMessage())));
  }

  private synchronized boolean readAgain() {
    ServingCertificate read =
        ServingCertificate.read(vertx, settings.certificate(), settings.key());
    boolean changed = !keys.presents(read);
    if (changed) {
      keys.show(read);
      unusable = "";
      LOG.info("the webhook uses a new certificate");
    }
    return changed;
  }

  private synchronized void complain(String why) {
    if (!why.equals(unusable)) {
      unusable = why;
      LOG.warnf("the webhook keeps the certificate that it has: %s", why);
    }
  }

  @Override
  public void close() {
    vertx.cancelTimer(reading);
    try {
      await(server.close().toCompletionStage().toCompletableFuture());
      await(workers.close().toCompletionStage().toCompletableFuture());
    } catch (CompletionException failure) {
      LOG.debugf(failure, "closing the webhook failed");
    }
  }
}
