/**
 * Describes the repair of Codex's rollouts. Codex's reactions were observed by resuming a rollout
 * with each kind of damage in Codex 0.169.
 */
import { join } from "node:path";
import type {
  LineRepair,
  LostHeader,
  RecordFacts,
  RepairedFile,
} from "../contract/session_repair.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { asList, asName, asObject, asText } from "../engine/json.ts";
import { readRolloutHead } from "./rollout_file.ts";
import { parseRolloutName, rolloutFiles, rolloutForm } from "./rollout_files.ts";
import { toRolloutRecord } from "./rollout_record.ts";
import { codexHome } from "./locate.ts";
import { holdRollout } from "./rollout_hold.ts";

type Json = Readonly<Record<string, unknown>>;

export const codexRepair: LineRepair = {
  kind: "lines",
  program: "codex",
  reading: {
    fused: false,
    glued: false,
    after_nuls: false,
    ends: { "byte-order-mark": "refuses", "bad-utf8": "refuses", "no-header": "refuses" },
  },
  today: {
    "byte-order-mark": "Codex refuses to open the session",
    "torn-end": "Codex skips this record, and writes its next record on a new line",
    "torn-record": "Codex skips this line of the session file",
    "fused-records": "Codex skips this line of the session file",
    "nul-run": "Codex skips this line of the session file",
    "bad-utf8": "Codex refuses to open the session",
    "no-record": "Codex skips this line of the session file",
    "no-newline": "Codex writes its next record on a new line, so the missing newline does no harm",
    "no-header": "Codex refuses to open the session",
    "stray-result": "Codex does not send this tool result to the model",
    "hollow-thinking":
      "Codex sends this empty reasoning record to the provider, and the provider rejects the " +
      "request",
    "unanswered-call": "Codex sends `aborted` as the result of the tool call",
    "repeated-file":
      "Codex sends each record to the model only once if the records have an `ordinal` field. " +
      "Otherwise, Codex sends each record twice",
    "long-line": "Codex shortens the tool output to its own length limit",
    "long-output": "Codex shortens the tool output to its own length limit",
  },
  note: "Codex's own database (thread_history_1.sqlite) still lists the messages from " +
    "before the repair",
  strays: false,
  refusal,
  isRecord: ({ type, payload, timestamp, id }) =>
    typeof type === "string" &&
    (typeof payload === "object" || typeof timestamp === "string" || typeof id === "string"),
  isHeader: (value) => recordOf(value).type === "session_meta",
  header: lostHeader,
  facts: factsOf,
  isOutput: (path, seen) =>
    OUTPUTS.test(path) ||
    (/^payload\.output(?:\.|\[|$)/.test(path) &&
      (seen.get("payload.type") ?? "").endsWith("_output")),
  dependant,
  hold: holdRollout,
};

const OUTPUTS = /^payload\.(?:item\.)?(?:aggregated_output|formatted_output|stdout|stderr)$/;

function recordOf(value: Json): ReturnType<typeof toRolloutRecord> {
  return toRolloutRecord({ value, position: { offset: 0, length: 0, line: 0 } });
}

function refusal(path: string): string | undefined {
  const form = rolloutForm(path);
  if (form === "lines") return undefined;
  return form === "compressed"
    ? "the file is compressed; decompress a copy with `zstd -d`, and repair that copy"
    : "the file is one JSON document, and Reprise repairs only files with one record per line";
}

/**
 * Makes a head to replace the lost head of a rollout. The id comes from the file's name, and the
 * directory from the user or a turn. The head names no model provider, so Codex uses the user's own
 * provider. The field `cli_version` is required, but the old value is lost.
 */
function lostHeader({ path, id, directory, time, now }: LostHeader):
  | Record<string, unknown>
  | undefined {
  if (directory === undefined) return undefined;
  const timestamp = isoTime(time) ?? now;
  const payload = {
    id: parseRolloutName(path)?.id ?? id,
    timestamp,
    cwd: directory,
    originator: "codex_cli_rs",
    cli_version: "0.0.0",
    source: "cli",
  };
  return { timestamp, type: "session_meta", payload };
}

const CALL = /^(?:function|custom_tool|local_shell|tool_search)_call$/;
const RESULT = /^(?:function|custom_tool|local_shell|tool_search)_call_output$/;

function factsOf(value: Json): RecordFacts {
  const { type, payload } = recordOf(value);
  if (type === "turn_context" || type === "session_meta") {
    const cwd = asName(payload.cwd);
    return cwd === undefined ? {} : { cwd };
  }
  if (!type.startsWith("response_item/")) return {};
  const kind = asText(payload.type) ?? "";
  const id = asName(payload.call_id) ?? asName(payload.id);
  if (kind === "reasoning") return { hollow: isHollow(payload) };
  if (kind === "message") {
    return { speaks: payload.role === "assistant" || payload.role === "user" };
  }
  if (id !== undefined && CALL.test(kind)) return { calls: [id] };
  return id !== undefined && RESULT.test(kind) ? { result_of: id } : {};
}

function isHollow({ summary, content, encrypted_content }: Json): boolean {
  return asName(encrypted_content) === undefined && asList(summary).length === 0 &&
    asList(content).length === 0;
}

/** Finds a fork of this rollout. A repair must not move the byte offset where the fork begins. */
async function dependant({ id, path }: RepairedFile): Promise<string | undefined> {
  const home = codexHome(path);
  if (home === undefined) return undefined;
  for (const folder of ["sessions", "archived_sessions"]) {
    for (const [other, file] of rolloutFiles(join(home, folder))) {
      const head = await readRolloutHead(file);
      const base = asObject(head?.payload.history_base).thread_id;
      if (asName(base)?.toLowerCase() === id.toLowerCase()) return other;
    }
  }
  return undefined;
}
