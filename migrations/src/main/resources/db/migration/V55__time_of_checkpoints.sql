-- When the last checkpoint of an attempt was reported, and after how much work. What it has done since
-- then is lost if it is evicted. Null for checkpoints that an earlier version stored: these count as
-- saved at the start.
ALTER TABLE attempt ADD COLUMN checkpoint_saved jsonb;
