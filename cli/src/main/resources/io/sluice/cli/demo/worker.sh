# One worker of the demonstration: says who it is and works for some seconds. In the book of its
# place (job and pod) it notes its attempt at every step, so that two attempts at once would show as
# a later one followed by an earlier one.
seconds=$1
book="$2/$SLUICE_JOB_ID-$SLUICE_POD"
echo "identity slice=${MEGASCALE_SLICE_ID:-0}/${MEGASCALE_NUM_SLICES:-1} worker=$TPU_WORKER_ID" \
  "hosts=$TPU_WORKER_HOSTNAMES topology=$TPU_TOPOLOGY type=$TPU_ACCELERATOR_TYPE" \
  "coordinator=${MEGASCALE_COORDINATOR_ADDRESS:-none}:${MEGASCALE_PORT:-none}"
trap 'echo "told to end: a checkpoint is written"; sleep 1; echo "$SLUICE_ATTEMPT" >> "$book"; exit 143' TERM
step=0
echo "$SLUICE_ATTEMPT" >> "$book"
while [ "$step" -lt "$seconds" ]; do
  sleep 1
  step=$((step + 1))
  echo "$SLUICE_ATTEMPT" >> "$book"
  echo "step $step of $seconds"
done
