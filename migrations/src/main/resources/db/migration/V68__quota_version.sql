-- SPDX-License-Identifier: Apache-2.0

-- Submissions remember quota objects for as long as the version stays. It is the id of the last transaction that changed
-- objects or namespaces of teams. Such transactions follow each other, as they change this row.
CREATE TABLE quota_version (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version bigint NOT NULL
);
INSERT INTO quota_version (version) VALUES (pg_current_xact_id()::text::bigint);

CREATE FUNCTION change_quota_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own bigint := pg_current_xact_id()::text::bigint;
BEGIN
  UPDATE quota_version SET version = own WHERE version <> own;
  RETURN NULL;
END
$$;
CREATE TRIGGER quota_object_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON quota_object
  FOR EACH STATEMENT EXECUTE FUNCTION change_quota_version();
CREATE TRIGGER team_namespace_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON team_namespace
  FOR EACH STATEMENT EXECUTE FUNCTION change_quota_version();

-- Protects quota objects from deletion until the transaction ends, and returns their version. The lock comes first: a
-- statement of its own within a volatile function sees what was committed while this one waited.
CREATE FUNCTION hold_quota_objects() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('sluice'), hashtext('quota objects that jobs name'));
  RETURN (SELECT version FROM quota_version);
END
$$;

-- Waits for the transactions that hold quota objects, and keeps others waiting until this one ends.
CREATE FUNCTION lock_quota_objects() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('sluice'), hashtext('quota objects that jobs name'));
END
$$;

-- Servers of earlier versions delete without that lock: a job that came after their check keeps its LocalQueue.
CREATE FUNCTION check_quota_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_quota_objects();
  IF OLD.kind = 'LocalQueue' AND EXISTS (
    SELECT FROM job
    WHERE shard = 0 AND namespace = OLD.namespace AND local_queue = OLD.name AND finished_at IS NULL
  ) THEN
    RAISE EXCEPTION 'LocalQueue %/% is in use by a job', OLD.namespace, OLD.name
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN OLD;
END
$$;
CREATE TRIGGER quota_object_deletion BEFORE DELETE ON quota_object
  FOR EACH ROW EXECUTE FUNCTION check_quota_deletion();
