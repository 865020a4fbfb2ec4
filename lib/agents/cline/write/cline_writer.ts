/**
 * Writes sessions of Cline. In a test, Cline's program (3.0.65) listed, showed and resumed them.
 * Cline adds a session to its database when it lists the session. It resumes only sessions in this
 * database.
 */
import { join } from "node:path";
import {
  handedDocument,
  handedJson,
  handedOriginals,
  handedText,
} from "../../engine/handed/line.ts";
import { USUAL_WRITER } from "../../engine/handed/usual_writer.ts";
import { hexDigits } from "../../engine/handed/written_ids.ts";
import { asName, asObject, type Json, present } from "../../engine/json.ts";
import { readJsonObject } from "../../engine/files/folder.ts";
import type { AgentSession } from "../../contract/agent.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type {
  HandedCall,
  HandedMessage,
  HandedPart,
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../contract/session_writer.ts";
import { readMessages } from "../cline_source.ts";

export const clineWriter: SessionWriter = {
  ...USUAL_WRITER,
  tools: {
    bash: { name: "run_commands", input: ({ command }) => ({ commands: [command] }) },
    read: {
      name: "read_files",
      input: ({ path, offset, limit }) => {
        const end_line = limit === undefined ? undefined : (offset ?? 1) + limit - 1;
        return { files: [present({ path, start_line: offset, end_line })] };
      },
    },
    edit: {
      name: "editor",
      input: ({ path, old_text, new_text, all }) =>
        all === true ? undefined : { path, old_text, new_text },
    },
  },
  proven: true,
  newSessionId: (now) => `${now}_${hexDigits(6).slice(1)}`,
  place: placeSession,
  write: writeMessages,
  handedOriginals: originalsOf,
};

function placeSession(place: AgentPlace, start: HandedStart): SessionPlacement {
  const folder = join(place.folder, "sessions", start.id);
  const path = join(folder, `${start.id}.messages.json`);
  const manifest = `${handedJson(manifestOf(place, start, path))}\n`;
  return {
    path,
    beside: [{ path: join(folder, `${start.id}.json`), text: manifest }],
    prepare: [["cline", "history", "--json", "--limit", "1"]],
  };
}

/** Returns the manifest. It must name a model, but Cline uses the model in its settings. */
function manifestOf(
  { folder }: AgentPlace,
  { id, cwd, title, begun, from }: HandedStart,
  messages_path: string,
): Json {
  const settings = readJsonObject(join(folder, "settings", "providers.json"));
  const provider = asName(settings.lastUsedProvider) ?? "cline";
  const chosen = asObject(asObject(asObject(settings.providers)[provider]).settings);
  return {
    ...{ version: 1, session_id: id, source: "cli", pid: 0, status: "completed" },
    ...{ started_at: new Date(begun).toISOString(), interactive: true },
    ...{ provider, model: asName(chosen.model) ?? "unknown" },
    ...{ cwd, workspace_root: cwd, enable_tools: true, enable_spawn: true, enable_teams: true },
    metadata: present({ title, handed_over_from: from }),
    messages_path,
  };
}

function writeMessages({ id, from, now, messages }: HandedSession): AsyncIterable<string> {
  const updated_at = new Date(now).toISOString();
  const head = { version: 1, updated_at, agent: "lead", sessionId: id };
  return handedDocument(head, "messages", messages, (message) => recordsOf(message, from));
}

function* recordsOf(message: HandedMessage, from: string): Generator<Json> {
  const base = { id: `msg_${hexDigits(12)}`, ts: message.time };
  if (message.role === "user") {
    yield { ...base, role: "user", content: blocksOf(message.parts) };
    return;
  }
  const { text, calls } = message;
  const said = text === "" ? [] : [{ type: "text", text }];
  const called = calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input }));
  // Cline keeps the metadata of a message, and drops fields that it does not know.
  const metadata = calls.length === 0 ? undefined : handedOriginals(from, calls);
  yield present({ ...base, role: "assistant", content: [...said, ...called], metadata });
  for (const call of calls) {
    yield { ...base, id: `${base.id}_${call.id}`, role: "user", content: [resultOf(call)] };
  }
}

/** Returns a call's result. It names the tool, because Cline needs the name to continue. */
function resultOf({ id, name, output, failed }: HandedCall): Json {
  const has_images = output.some(({ type }) => type === "image");
  const content = has_images ? blocksOf(output) : handedText(output);
  return { type: "tool_result", tool_use_id: id, name, content, is_error: failed };
}

function blocksOf(parts: readonly HandedPart[]): Json[] {
  return parts.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text }
      : { type: "image", data: part.data, mediaType: part.media_type }
  );
}

/** Returns a getter of calls' original data. It reads the whole document, as Cline rewrites it. */
function originalsOf(session: AgentSession): (call_id: string) => unknown {
  const found = new Map<string, unknown>();
  for (const { metadata } of readMessages(session.path).messages) {
    const { reprise } = asObject(metadata);
    for (const id of Object.keys(asObject(asObject(reprise).calls))) found.set(id, reprise);
  }
  return (call_id) => found.get(call_id);
}
