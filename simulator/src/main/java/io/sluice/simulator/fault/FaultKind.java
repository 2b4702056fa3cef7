// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.fault;

/** A kind of fault; each is drawn at its own occasions. */
public enum FaultKind {
  /** A batch reaches the database late. */
  COMMIT_DELAYED(60),
  /** A batch never reaches the database, and the server does not know. */
  COMMIT_LOST(30),
  /** A batch is durable, and the server does not know. */
  COMMIT_UNANSWERED(30),
  /** The database refuses a batch; the server reads its memory back. */
  COMMIT_REFUSED(8),
  /** The database does not answer when inputs are read. */
  READ_FAILED(10),
  /** An input is seen later than others that got a higher number. */
  INPUT_LATE(60),
  /** A client does not hear that its job was taken, and submits it again with the same key. */
  SUBMISSION_REPEATED(80),
  /** The server dies when it has decided and nothing of that is durable. */
  CRASH_BEFORE_COMMIT(8),
  /** The server dies when a batch is durable and nothing of it is dispatched. */
  CRASH_AFTER_COMMIT(8),
  /** The server dies when a part of a batch is dispatched. */
  CRASH_DURING_DISPATCH(8),
  /** Another server takes the lead while the old one goes on. */
  TAKEOVER(20),
  /** The database's clock is set ahead by more than 30 s. */
  CLOCK_AHEAD(10),
  /** The database's clock is set back. */
  CLOCK_BACK(10),
  /** One reading of the database's clock is far ahead; the next is right again. */
  CLOCK_GLITCH(5),
  /** A start or stop reaches the hosts late. */
  COMMAND_DELAYED(80),
  /** A start or stop reaches the hosts a second time, late. */
  COMMAND_REPEATED(80),
  /** A start of an earlier generation reaches the hosts. */
  COMMAND_STALE(40),
  /** An attempt cannot be started. */
  START_FAILED(20),
  /** A host is gone, and the processes on it. */
  HOST_LOST(30),
  /** An attempt that was told to end is gone, and its host never says so. */
  DRAIN_UNTOLD(30),
  /** A report arrives late, after others that were sent later. */
  REPORT_DELAYED(100),
  /** A report arrives twice. */
  REPORT_REPEATED(100),
  /** A report is lost, and sent again much later. */
  REPORT_LOST(30);

  private final int usualPerThousand;

  FaultKind(int usualPerThousand) {
    this.usualPerThousand = usualPerThousand;
  }

  /** How often of a thousand occasions, where nothing else is asked for. */
  public int usualPerThousand() {
    return usualPerThousand;
  }
}
