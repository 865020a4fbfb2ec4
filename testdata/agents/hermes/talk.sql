CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT,
  model_config TEXT, system_prompt TEXT, system_prompt_hash TEXT, parent_session_id TEXT,
  started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0,
  tool_call_count INTEGER DEFAULT 0, input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0,
  cache_read_tokens INTEGER DEFAULT 0, cache_write_tokens INTEGER DEFAULT 0,
  reasoning_tokens INTEGER DEFAULT 0, cwd TEXT, git_branch TEXT, estimated_cost_usd REAL,
  actual_cost_usd REAL, title TEXT, display_name TEXT, archived INTEGER NOT NULL DEFAULT 0,
  FOREIGN KEY (parent_session_id) REFERENCES sessions(id));
CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL, content TEXT,
  tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER,
  finish_reason TEXT, reasoning TEXT, reasoning_content TEXT, reasoning_details TEXT,
  codex_reasoning_items TEXT, codex_message_items TEXT, observed INTEGER DEFAULT 0,
  active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, display_kind TEXT);
INSERT INTO system_prompts VALUES ('h1', 'You are Hermes Agent.');
INSERT INTO sessions (id, source, model, system_prompt_hash, started_at, input_tokens,
  output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cwd, git_branch,
  estimated_cost_usd, title) VALUES ('20261001_120000_aa11bb', 'cli', 'anthropic/claude-sonnet-4.6',
  'h1', 1790856000, 700, 90, 300, 20, 10, '/home/dev/my-app', 'main', 0.04, 'Retry loop');
INSERT INTO sessions (id, source, model, model_config, parent_session_id, started_at) VALUES
  ('20261001_120100_cc22dd', 'subagent', 'anthropic/claude-haiku-4.5',
   '{"_delegate_from":"20261001_120000_aa11bb"}', '20261001_120000_aa11bb', 1790856060);
INSERT INTO sessions (id, source, model_config, parent_session_id, started_at, archived, cwd) VALUES
  ('20261001_130000_ee33ff', 'cli', '{"_branched_from":"20261001_120000_aa11bb"}',
   '20261001_120000_aa11bb', 1790859600, 1, '/home/dev/my-app');
INSERT INTO messages (session_id, role, content, timestamp, active, compacted) VALUES
  ('20261001_120000_aa11bb', 'user', 'The retry loop never backs off', 1790856001, 0, 1);
INSERT INTO messages (session_id, role, content, timestamp, tool_calls, reasoning,
  reasoning_content, reasoning_details, finish_reason, active, compacted) VALUES
  ('20261001_120000_aa11bb', 'assistant', 'I look at the loop.', 1790856002,
   '[{"id":"call_1","call_id":"call_1","type":"function","function":{"name":"terminal","arguments":"{\"command\": \"cat loop.py\"}"}},{"id":"call_2","type":"function","function":{"name":"read_file","arguments":{"path":"a.py"}}}]',
   'The sleep may be misplaced.', 'The sleep may be misplaced.',
   '[{"type":"reasoning.text","text":"The sleep may be misplaced.","signature":"c2ln"}]',
   'tool_calls', 0, 1);
INSERT INTO messages (session_id, role, content, timestamp, tool_call_id, tool_name, active,
  compacted) VALUES
  ('20261001_120000_aa11bb', 'tool', '{"output": "", "exit_code": 1, "error": "no such file"}',
   1790856003, 'call_1', 'terminal', 0, 1),
  ('20261001_120000_aa11bb', 'tool', 'def a(): pass', 1790856004, 'call_2', 'read_file', 0, 1);
INSERT INTO messages (session_id, role, content, timestamp, finish_reason, active, compacted) VALUES
  ('20261001_120000_aa11bb', 'assistant', 'It sleeps in the success branch.', 1790856005, 'stop', 0, 1),
  ('20261001_120000_aa11bb', 'user', '[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted: the loop never backs off.', 1790856006, NULL, 1, 0),
  ('20261001_120000_aa11bb', 'assistant', 'It sleeps in the success branch.', 1790856005, 'stop', 1, 0),
  ('20261001_120000_aa11bb', 'user', 'No, forget that question', 1790856007, NULL, 0, 0);
INSERT INTO messages (session_id, role, content, timestamp) VALUES
  ('20261001_120000_aa11bb', 'user', char(1) || 'json:[{"type":"text","text":"What is in this picture?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="}},{"type":"hologram","words":"It is of a later version."}]', 1790856008),
  ('20261001_120000_aa11bb', 'session_meta', 'Tools changed in this session.', 1790856009);
INSERT INTO messages (session_id, role, content, timestamp, codex_reasoning_items, finish_reason)
  VALUES ('20261001_120000_aa11bb', 'assistant', 'A single dot.', 1790856010,
   '[{"type":"reasoning","id":"rs_1","encrypted_content":"c2VhbA==","summary":[{"type":"summary_text","text":"The picture is small."}]}]', 'stop');
INSERT INTO messages (session_id, role, content, timestamp, display_kind) VALUES
  ('20261001_120000_aa11bb', 'user', 'A background task has ended.', 1790856011, 'hidden');
INSERT INTO messages (session_id, role, content, timestamp, finish_reason) VALUES
  ('20261001_120100_cc22dd', 'user', 'Find the callers of a', 1790856061, NULL),
  ('20261001_120100_cc22dd', 'assistant', 'Nobody calls it.', 1790856062, 'stop'),
  ('20261001_130000_ee33ff', 'user', char(0) || 'json:["Try it with threads"]', 1790859601, NULL),
  ('20261001_130000_ee33ff', 'assistant', 'They would need a lock.', 1790859602, 'stop');
