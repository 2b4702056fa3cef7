// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.QuotaForecast;
import io.sluice.admission.quota.QuotaTree;
import java.util.Map;

/** Usage of queues as a function of time. Each span of usage is added, and removed as it was. */
public final class UsageForecast {
  /**
   * Usage for a range of time.
   *
   * @param from first time, in {@link Ticks}
   * @param to end, exclusive; {@link Ticks#NEVER} for an endless range
   */
  public record Span(Usage usage, long from, long to) {}

  private final QuotaForecast forecast;

  /** Creates a forecast without usage. */
  public UsageForecast(QuotaTree tree) {
    this.forecast = new QuotaForecast(tree);
  }

  public void add(Span span) {
    count(span, 1);
  }

  /** Removes a span that was added. */
  public void remove(Span span) {
    count(span, -1);
  }

  private void count(Span span, int sign) {
    Usage usage = span.usage();
    for (int at = 0; at < usage.size(); at++) {
      forecast.add(
          usage.node(), usage.flavorResource(at), sign * usage.amount(at), span.from(), span.to());
    }
  }

  /** Adds the bookings and outages of a calendar, before any usage. */
  public void addAll(Calendar calendar) {
    // What is absent has to be known before anything that counts beside it.
    calendar.entries().stream().filter(entry -> entry.booked() == null).forEach(this::add);
    calendar.entries().stream().filter(entry -> entry.booked() != null).forEach(this::add);
  }

  /** Adds a booking or an outage that was removed. */
  public void add(Calendar.Entry entry) {
    count(entry, 1);
  }

  /** Removes a booking or an outage that was added. */
  public void remove(Calendar.Entry entry) {
    count(entry, -1);
  }

  private void count(Calendar.Entry entry, int sign) {
    Usage booked = entry.booked();
    if (booked != null) {
      for (int at = 0; at < booked.size(); at++) {
        long amount = sign * booked.amount(at);
        forecast.book(booked.node(), booked.flavorResource(at), amount, entry.from(), entry.to());
      }
    }
    for (Map.Entry<Integer, Long> absent : entry.absent().entrySet()) {
      long amount = sign * absent.getValue();
      forecast.withdraw(absent.getKey(), amount, entry.from(), entry.to());
    }
  }

  /**
   * Returns whether nothing that is counted uses what a booking or an outage needs, from a time to
   * its end.
   */
  public boolean holds(Calendar.Entry entry, long from) {
    Usage booked = entry.booked();
    if (booked != null) {
      for (int at = 0; at < booked.size(); at++) {
        if (forecast.holdsUntil(booked.node(), booked.flavorResource(at), from) < entry.to()) {
          return false;
        }
      }
    }
    for (int number : entry.absent().keySet()) {
      if (forecast.isThereUntil(number, from) < entry.to()) {
        return false;
      }
    }
    return true;
  }

  /** Forgets what ends at or before a time. */
  public void forgetBefore(long time) {
    forecast.forgetBefore(time);
  }

  /** Returns whether an amount more fits a queue in a range of time. */
  public boolean fits(int node, int flavorResource, long amount, long from, long to) {
    return forecast.fitsUntil(node, flavorResource, amount, from) >= to;
  }

  /** Returns whether a span that is not counted fits. */
  public boolean fits(Span span) {
    Usage usage = span.usage();
    for (int at = 0; at < usage.size(); at++) {
      if (!fits(usage.node(), usage.flavorResource(at), usage.amount(at), span.from(), span.to())) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a queue would use no more than its own quota with a span not counted yet. */
  public boolean staysOwn(Span span) {
    QuotaTree tree = forecast.tree();
    Usage usage = span.usage();
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      long own = tree.subtreeQuota(usage.node(), number) - usage.amount(at);
      if (!forecast.staysWithin(usage.node(), number, own, span.from(), span.to())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the first time, not before another, from which a usage fits for a while; {@link
   * Ticks#NEVER} if there is none.
   *
   * @param length {@link Ticks#NEVER} for an endless while
   */
  public long firstFit(Usage usage, long from, long length) {
    long start = from;
    long before;
    do {
      before = start;
      for (int at = 0; at < usage.size() && start != Ticks.NEVER; at++) {
        start =
            forecast.firstFit(
                usage.node(), usage.flavorResource(at), usage.amount(at), start, length);
      }
    } while (start != before && start != Ticks.NEVER);
    return start;
  }

  /** Returns an upper bound of the amount that fits a queue at a time. */
  public long mostAt(int node, int flavorResource, long time) {
    return forecast.mostAt(node, flavorResource, time);
  }
}
