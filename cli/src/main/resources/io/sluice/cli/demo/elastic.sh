# One worker of the elastic job: counts on from its checkpoint until it is enough, and saves where it
# is when it is told to end. In its book it notes attempt and generation at every step, so that two
# generations at once would show as a later one followed by an earlier one.
enough=$1
book="$2/$SLUICE_JOB_ID-$SLUICE_POD"
note=$((SLUICE_ATTEMPT * 1000 + SLUICE_GENERATION))
step=${SLUICE_CHECKPOINT#step }
step=${step:-0}
echo "generation $SLUICE_GENERATION on ${MEGASCALE_NUM_SLICES:-1} slices from step $step"
trap 'echo "step $step" > "$SLUICE_CHECKPOINT_FILE"; echo "told to end at step $step"; exit 143' TERM
while [ ! -e "$enough" ]; do
  echo "$note" >> "$book"
  step=$((step + 1))
  sleep 0.5
done
