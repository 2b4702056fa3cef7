# One worker of the demonstration: says who it is and works for some seconds. Should another worker
# of the same job and place still be there, it leaves a note of that.
seconds=$1
places=$2
place="$places/$SLUICE_JOB_ID-$SLUICE_POD"
if [ -f "$place" ] && kill -0 "$(cat "$place")" 2>/dev/null; then
  echo "job $SLUICE_JOB_ID pod $SLUICE_POD attempt $SLUICE_ATTEMPT" >> "$places/twice"
fi
echo $$ > "$place"
echo "identity slice=${MEGASCALE_SLICE_ID:-0}/${MEGASCALE_NUM_SLICES:-1} worker=$TPU_WORKER_ID" \
  "hosts=$TPU_WORKER_HOSTNAMES topology=$TPU_TOPOLOGY type=$TPU_ACCELERATOR_TYPE" \
  "coordinator=${MEGASCALE_COORDINATOR_ADDRESS:-none}:${MEGASCALE_PORT:-none}"
step=0
while [ "$step" -lt "$seconds" ]; do
  sleep 1
  step=$((step + 1))
  echo "step $step of $seconds"
done
