// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

/** Calls the action for the kind of an input. The result of this fold has no meaning. */
record InputDispatch(Input.Handler handler) implements Input.Fold<Boolean> {
  @Override
  public Boolean submitJob(Input.SubmitJob input) {
    handler.submitJob(input);
    return true;
  }

  @Override
  public Boolean cancelJob(Input.CancelJob input) {
    handler.cancelJob(input);
    return true;
  }

  @Override
  public Boolean holdJob(Input.HoldJob input) {
    handler.holdJob(input);
    return true;
  }

  @Override
  public Boolean releaseJob(Input.ReleaseJob input) {
    handler.releaseJob(input);
    return true;
  }

  @Override
  public Boolean prioritizeJob(Input.PrioritizeJob input) {
    handler.prioritizeJob(input);
    return true;
  }

  @Override
  public Boolean giveHeadStart(Input.GiveHeadStart input) {
    handler.giveHeadStart(input);
    return true;
  }

  @Override
  public Boolean limitJob(Input.LimitJob input) {
    handler.limitJob(input);
    return true;
  }

  @Override
  public Boolean confirmLost(Input.ConfirmLost input) {
    handler.confirmLost(input);
    return true;
  }

  @Override
  public Boolean setObject(Input.SetObject input) {
    handler.setObject(input);
    return true;
  }

  @Override
  public Boolean removeObject(Input.RemoveObject input) {
    handler.removeObject(input);
    return true;
  }

  @Override
  public Boolean setFleet(Input.SetFleet input) {
    handler.setFleet(input);
    return true;
  }

  @Override
  public Boolean recordRun(Input.RecordRun input) {
    handler.recordRun(input);
    return true;
  }

  @Override
  public Boolean report(Input.Report input) {
    handler.report(input);
    return true;
  }

  @Override
  public Boolean grantSlices(Input.GrantSlices input) {
    handler.grantSlices(input);
    return true;
  }

  @Override
  public Boolean refuseSlices(Input.RefuseSlices input) {
    handler.refuseSlices(input);
    return true;
  }

  @Override
  public Boolean reclaimSlice(Input.ReclaimSlice input) {
    handler.reclaimSlice(input);
    return true;
  }

  @Override
  public Boolean returnSlice(Input.ReturnSlice input) {
    handler.returnSlice(input);
    return true;
  }
}
