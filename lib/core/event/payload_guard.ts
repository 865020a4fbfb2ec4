/**
 * Checks payloads, kind by kind. Only named fields are checked, so that later versions may add
 * fields.
 */
import {
  anything,
  either,
  fields,
  flag,
  type Guard,
  list,
  number,
  oneOf,
  optional,
  tagged,
  text,
  textOr,
  whole,
  within,
} from "./guard.ts";
import type { EventKind } from "./payload.ts";

const callStatus = oneOf("ok", "error", "interrupted", "skipped");
const audience = optional(oneOf("user", "model"));
const attachment = fields({
  audience,
  media_type: text,
  data: optional(text),
  path: optional(text),
  sha256: text,
  bytes: whole(0),
});
const text_part = fields({ text, audience, continues: optional(flag), name: optional(text) });
const output = textOr(list(tagged("type", {
  text: text_part,
  json: fields({ value: anything, audience }),
  image: attachment,
  file: attachment,
})));
const part = tagged("type", {
  text: text_part,
  reasoning: fields({ text, audience }),
  tool_call: fields({
    call_id: text,
    name: text,
    input: anything,
    input_text: optional(text),
    caption: optional(text),
    audience,
  }),
  tool_result: fields({ call_id: text, name: text, status: callStatus, output, audience }),
  image: attachment,
  file: attachment,
});
const content = textOr(list(part));
const message = fields({ role: oneOf("system", "user", "assistant", "tool"), content });
const tokens = fields({
  input: optional(number),
  output: optional(number),
  cache_read: optional(number),
  cache_write: optional(number),
  cache_write_1h: optional(number),
  reasoning: optional(number),
});

const GUARDS: Readonly<Record<EventKind, Guard>> = {
  session_started: fields({
    session_id: text,
    created_at: text,
    cwd: text,
    app: optional(fields({ name: text, version: optional(text) })),
    title: optional(text),
    git: optional(
      fields({ branch: optional(text), commit: optional(text), remote: optional(text) }),
    ),
    environment: optional(fields({})),
    parent: optional(
      fields({ session_id: text, seq: optional(whole(0)), reason: optional(text) }),
    ),
    imported_from: optional(
      fields({
        agent: text,
        id: text,
        path: optional(text),
        agent_version: optional(text),
        bytes: optional(whole(0)),
        modified_at: optional(text),
        sha256: optional(text),
        branch: optional(text),
        imported_at: optional(text),
      }),
    ),
    unanswered_call: optional(text),
  }),
  context_loaded: fields({
    sources: list(fields({
      kind: text,
      path: text,
      scope: optional(text),
      hash: text,
      bytes: whole(0),
      truncated: flag,
      error: optional(text),
    })),
  }),
  user_message: fields({ content, role: optional(oneOf("system")) }),
  assistant_message: fields({
    content,
    message_id: optional(text),
    model: optional(text),
    provider: optional(text),
    request_id: optional(text),
    finish_reason: optional(text),
    usage: optional(tokens),
    last_prompt_tokens: optional(number),
    usage_of: optional(oneOf("turn", "session")),
    cost_usd: optional(number),
  }),
  assistant_interrupted: fields({ content, message_id: optional(text), reason: optional(text) }),
  reasoning_message: fields({ content: text, message_id: optional(text), audience }),
  tool_start: fields({ call_id: text }),
  tool_end: fields({
    call_id: text,
    name: text,
    status: callStatus,
    output: optional(output),
    error: optional(text),
    duration_ns: optional(number),
    truncated: optional(flag),
    caption: optional(text),
  }),
  bash_start: either("origin", {
    present: fields({
      call_id: text,
      command: text,
      summary: optional(text),
      origin: oneOf("user"),
      audience,
    }),
    absent: fields({ call_id: text, command: optional(text), summary: optional(text) }),
  }),
  bash_end: fields({
    call_id: text,
    command: text,
    summary: optional(text),
    output: optional(output),
    error: optional(text),
    exit_code: optional(number),
    status: callStatus,
    duration_ns: optional(number),
    truncated: optional(flag),
    caption: optional(text),
  }),
  diff: fields({
    call_id: optional(text),
    path: optional(text),
    lines: list(fields({
      kind: oneOf("context", "added", "removed", "hunk"),
      old: optional(number),
      new: optional(number),
      content: text,
    })),
  }),
  compaction_applied: fields({
    status: text,
    messages: optional(list(message)),
    summary: optional(text),
    first_kept_seq: optional(number),
    tokens_before: optional(number),
    tokens_after: optional(number),
    guidance: optional(text),
    trigger: optional(oneOf("manual", "auto")),
    status_only: optional(flag),
  }),
  conversation_replaced: fields({ messages: list(message), reason: text }),
  conversation_branched: fields({ from_seq: whole(1), reason: optional(text) }),
  turn_failed: fields({ reason: oneOf("error", "cancelled"), message: text }),
  notice: fields({
    audience: oneOf("user", "model"),
    title: text,
    text,
    level: optional(oneOf("error")),
  }),
  session_renamed: fields({ title: text }),
  session_archived: fields({ archived: flag }),
  event_labeled: fields({ target_seq: whole(1), label: optional(text) }),
  workspace_snapshot: fields({
    root: text,
    git_branch: optional(text),
    git_status: optional(text),
    files: optional(list(text)),
    context_used: optional(number),
    context_limit: optional(number),
  }),
  session_checkpoint: fields({
    through_seq: whole(0),
    title: optional(text),
    archived: flag,
    message_count: whole(0),
    turn_count: whole(0),
    usage: tokens,
    models: list(text),
    first_user_message: text,
    last_user_message: optional(text),
    last_error: optional(text),
    cost_usd: optional(number),
    renamed_at: optional(text),
    archived_at: optional(text),
  }),
  session_closed: fields({
    status: oneOf("completed", "failed"),
    exit_code: optional(number),
    summary: optional(text),
  }),
  extension: fields({ agent: text, type: text, data: anything }),
};

export function payloadFault(kind: EventKind, payload: unknown): string | undefined {
  const reason = GUARDS[kind](payload);
  return reason === undefined ? undefined : within("payload", reason);
}
