-- How an attempt last went on with other slices, with what it let go of and still holds; and what
-- a later start of its index goes on from.
ALTER TABLE attempt
  ADD COLUMN last_resize jsonb,
  ADD COLUMN checkpoint text;
