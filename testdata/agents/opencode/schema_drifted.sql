-- As an older or a newer version might have it: columns are missing, and others are there.
CREATE TABLE session (id text PRIMARY KEY, directory text, title text, mood text);
CREATE TABLE message (
  id text PRIMARY KEY, session_id text NOT NULL, time_created integer, data text, extra blob
);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, data text);
