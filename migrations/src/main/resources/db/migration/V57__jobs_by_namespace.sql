-- Lists are confined to the namespaces that their caller may read. They read the newest jobs and
-- runs of each namespace, whatever others have.
CREATE INDEX job_by_namespace ON job (namespace, created_at, id);
CREATE INDEX pipeline_run_by_namespace ON pipeline_run (namespace, created_at, id);
