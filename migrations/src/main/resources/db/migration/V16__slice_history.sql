-- What happened to one slice, whoever held it: its events are found without reading the journal.
CREATE INDEX event_of_slice ON event (shard, (body ->> 'slice'), sequence, position)
  WHERE kind IN ('SliceLeaving', 'SliceLost', 'SliceReturned');
CREATE INDEX event_of_slices ON event USING gin ((body -> 'slices'))
  WHERE kind IN ('SlicesGranted', 'SlicesPassedOn', 'SlicesReleased');
