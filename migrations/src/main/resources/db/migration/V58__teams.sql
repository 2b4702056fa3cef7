-- The team of each namespace: what the stored teams say, with the rule that it is at most one.
CREATE TABLE team_namespace (
  namespace text PRIMARY KEY,
  team text NOT NULL
);
CREATE INDEX team_namespace_of ON team_namespace (team);

-- What administrators gave to a team: of each flavor and resource, in the counted unit of the resource.
-- Edits by the team are compared with it and never change it. 9223372036854775807 means without limit.
CREATE TABLE team_entitlement (
  team text NOT NULL,
  flavor text NOT NULL,
  resource text NOT NULL,
  -- The nominal quota of its nodes together.
  nominal bigint NOT NULL CHECK (nominal >= 0),
  -- The most that its nodes may borrow from others together, if others lend without limit.
  borrowed bigint NOT NULL CHECK (borrowed >= 0),
  -- The part of the nominal quota that nobody else may borrow.
  kept bigint NOT NULL CHECK (kept >= 0),
  PRIMARY KEY (team, flavor, resource)
);
