-- Owners of schedules, backfills and runs have their rights looked up at each fire and step. What
-- the identity provider said of their groups is known only when they save or start something.
ALTER TABLE pipeline_schedule ADD COLUMN saved_groups text[] NOT NULL DEFAULT '{}';
ALTER TABLE backfill ADD COLUMN created_groups text[] NOT NULL DEFAULT '{}';
ALTER TABLE pipeline_run ADD COLUMN created_groups text[] NOT NULL DEFAULT '{}';
