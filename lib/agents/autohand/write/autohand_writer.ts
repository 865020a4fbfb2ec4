/**
 * Writes sessions of Autohand. The format is known only from its source (0.8.2, and single files of
 * later versions). It was not tried with a client.
 *
 * Autohand lists the sessions of `index.json`. This writer never changes that file.
 * `autohand resume` finds a session by its whole id without `index.json`.
 */
import { basename, join } from "node:path";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type {
  HandedMessage,
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../contract/session_writer.ts";
import { handedJson, handedLine, handedOriginals, handedText } from "../../engine/handed/line.ts";
import { USUAL_WRITER } from "../../engine/handed/usual_writer.ts";
import { present } from "../../engine/json.ts";
import { CONVERSATION, METADATA } from "../locate.ts";

export const autohandWriter: SessionWriter = {
  ...USUAL_WRITER,
  // Its replacements are blocks in a text of their own: no other agent's have that shape.
  tools: {
    bash: {
      name: "run_command",
      input: ({ command, description }) => present({ command, description }),
    },
    // It counts lines from 0, others from 1.
    read: {
      name: "read_file",
      input: ({ path, offset, limit }) =>
        offset === undefined ? present({ path, limit }) : undefined,
    },
    write: { name: "write_file", input: ({ path, content }) => ({ path, contents: content }) },
  },
  proven: false,
  takesImage: () => false,
  newSessionId: (now) => `${crypto.randomUUID()}-${now}`,
  place,
  write: writeConversation,
};

function place(place: AgentPlace, start: HandedStart): SessionPlacement {
  const folder = join(place.folder, "sessions", start.id);
  const metadata = { path: join(folder, METADATA), text: `${handedJson(metadataOf(start))}\n` };
  return { path: join(folder, CONVERSATION), beside: [metadata] };
}

/**
 * Returns the metadata of a new session. Older versions show the summary as the title. Autohand
 * updates the message count when it continues the session.
 */
function metadataOf({ id, from, cwd, title, begun, now }: HandedStart): object {
  const [source = "", originalId = ""] = split(from);
  const importedAt = new Date(now).toISOString();
  return present({
    sessionId: id,
    createdAt: new Date(begun).toISOString(),
    lastActiveAt: importedAt,
    projectPath: cwd,
    projectName: basename(cwd),
    model: "",
    messageCount: 0,
    status: "active",
    title,
    summary: title,
    importedFrom: { source, originalId, importedAt },
  });
}

function split(ref: string): string[] {
  const colon = ref.indexOf(":");
  return colon < 0 ? [ref] : [ref.slice(0, colon), ref.slice(colon + 1)];
}

async function* writeConversation({ from, messages }: HandedSession): AsyncGenerator<string> {
  for await (const message of messages) yield* linesOf(message, from);
}

function* linesOf(message: HandedMessage, from: string): Generator<string> {
  const timestamp = new Date(message.time).toISOString();
  if (message.role === "user") {
    yield handedLine({ role: "user", content: handedText(message.parts), timestamp });
    return;
  }
  const { text, calls } = message;
  const said = { role: "assistant", content: text, timestamp };
  const toolCalls = calls.map(({ id, name, input }) => ({ id, tool: name, args: input }));
  const called = calls.length === 0 ? {} : { toolCalls, ...handedOriginals(from, calls) };
  yield handedLine({ ...said, ...called });
  for (const { id: tool_call_id, name, output } of calls) {
    yield handedLine({ role: "tool", content: handedText(output), name, timestamp, tool_call_id });
  }
}
