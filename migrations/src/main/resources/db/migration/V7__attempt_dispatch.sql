-- To which executor an attempt was given, written before it is given. No other one may start it or say that it is gone.
CREATE TABLE attempt_dispatch (
  job_id uuid NOT NULL,
  index integer NOT NULL,
  number integer NOT NULL,
  executor text NOT NULL,
  PRIMARY KEY (job_id, index, number),
  FOREIGN KEY (job_id, index, number) REFERENCES attempt ON DELETE CASCADE
);
