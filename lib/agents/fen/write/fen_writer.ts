/**
 * Writes sessions of fen as its source code (0.17.0) describes them. The result was not tried with
 * fen itself. fen stores no titles and no index: its list reads the folder.
 */
import { join } from "node:path";
import { resolvedFolder } from "../../engine/files/folder_match.ts";
import { handedLine, handedOriginals, handedText, partText } from "../../engine/handed/line.ts";
import { USUAL_WRITER } from "../../engine/handed/usual_writer.ts";
import { uuidV7 } from "../../engine/handed/written_ids.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedMessage,
  HandedPart,
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../contract/session_writer.ts";
import { fenSlug } from "../locate.ts";

async function* writeEntries(session: HandedSession): AsyncGenerator<string> {
  const { id, begun, from, messages } = session;
  const cwd = resolvedFolder(session.cwd);
  yield handedLine({ type: "session", version: 2, id, timestamp: fenTime(begun), cwd });
  let parent: string | undefined;
  for await (const message of messages) {
    for (const fields of entriesOf(message, from)) {
      const entry = { type: "message", id: uuidV7(message.time), timestamp: fenTime(message.time) };
      const linked = parent === undefined ? entry : { ...entry, "parent-id": parent };
      yield handedLine({ ...linked, ...fields });
      parent = entry.id;
    }
  }
}

/** Formats a time in fen's form: UTC in whole seconds, with dashes for colons. */
function fenTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replaceAll(":", "-");
}

function* entriesOf(message: HandedMessage, from: string): Generator<object> {
  const { time: timestamp } = message;
  if (message.role === "user") {
    yield { message: { role: "user", content: message.parts.map(block), timestamp } };
    return;
  }
  const { calls } = message;
  yield { message: answerOf(message), ...handedOriginals(from, calls) };
  for (const call of calls) yield { message: { ...resultOf(call), timestamp } };
}

function answerOf({ time, text, calls, total_tokens = 0 }: HandedAnswer): object {
  return {
    role: "assistant",
    content: [
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map(({ id, name, input }) => ({ type: "tool-call", id, name, arguments: input })),
    ],
    usage: {
      input: 0,
      output: 0,
      "cache-read": 0,
      "cache-write": 0,
      "total-tokens": total_tokens,
    },
    "stop-reason": calls.length === 0 ? "stop" : "tool-use",
    timestamp: time,
  };
}

/** Returns a call's result with one text, even if empty, because fen's JSON has no empty lists. */
function resultOf({ id, name, output, failed }: HandedCall): object {
  return {
    role: "tool-result",
    "tool-call-id": id,
    "tool-name": name,
    content: [{ type: "text", text: handedText(output) }],
    "is-error?": failed,
  };
}

/** Returns a part as a text block. An image becomes a line of text, as fen has no images. */
function block(part: HandedPart): object {
  return { type: "text", text: partText(part) };
}

export const fenWriter: SessionWriter = {
  ...USUAL_WRITER,
  tools: {
    bash: { name: "bash", input: ({ command }) => ({ cmd: command }) },
    read: { name: "read", input: (call) => ({ ...call }) },
    write: { name: "write", input: (call) => ({ ...call }) },
    edit: {
      name: "edit",
      // Its edits replace a text that is there once.
      input: ({ path, old_text, new_text, all = false }) =>
        all ? undefined : { path, edits: [{ old_string: old_text, new_string: new_text }] },
    },
  },
  proven: false,
  takesImage: () => false,
  // `/resume <id>` is typed within fen; the session that was placed just now is the latest.
  resume_latest: { argv: ["fen", "--continue"], in_directory: true },
  newSessionId: uuidV7,
  place,
  write: writeEntries,
};

/** Returns a session's path. The folder is named after the working directory, links resolved. */
function place(place: AgentPlace, { id, cwd, begun }: HandedStart): SessionPlacement {
  const folder = join(place.folder, "sessions", fenSlug(resolvedFolder(cwd)));
  return { path: join(folder, `${fenTime(begun)}_${id}.jsonl`) };
}
