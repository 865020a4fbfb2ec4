CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
  role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
  timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT);
INSERT INTO messages (session_id, role, content, timestamp, token_count, finish_reason) VALUES
  ('01JCH1', 'user', 'Why is the wire format msgpack?', 1785015600.25, 11, NULL),
  ('01JCH1', 'assistant', 'Payloads were dominated by floats.', 1785015661.5, 27, 'stop'),
  ('01JCH1', 'tool', NULL, 1785015662.0, NULL, NULL);
