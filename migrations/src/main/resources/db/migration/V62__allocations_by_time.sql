-- Allocations are listed by time. Those that began in a period are read in their order; those that
-- were held at its start are at most one for each slice, and are found without reading later ones.
CREATE INDEX slice_allocation_by_start ON slice_allocation (from_at, from_sequence);
CREATE INDEX slice_allocation_held ON slice_allocation
  USING gist (tstzrange(from_at, greatest(from_at, to_at))) WHERE to_at IS NOT NULL;
