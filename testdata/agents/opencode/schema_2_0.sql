-- The tables of OpenCode 2.0 that hold sessions, beside those of version 1.
CREATE TABLE session_v2 (
  id text PRIMARY KEY, project_id text NOT NULL, parent_id text, fork_session_id text,
  fork_boundary text, slug text NOT NULL, directory text NOT NULL, path text, title text,
  version text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL,
  time_archived integer, time_suspended integer
);
