/**
 * Writes the document that `opencode import` takes: `{info, messages: [{info, parts}]}` (1.18,
 * src/cli/cmd/import.ts). The import fails for a missing key. It puts the session into the project
 * of its working directory. It skips messages whose ids exist already.
 */
import { attachmentUrl } from "../../../core/event/attachment.ts";
import { present } from "../../../core/event/present.ts";
import { handedJson, handedOriginals, isImage, outputText } from "../../engine/handed/line.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedImage,
  HandedMessage,
  HandedPrompt,
  HandedSession,
} from "../../contract/session_writer.ts";
import { type ImportingClient, type UserModel, userModel } from "./importing_client.ts";

export async function* writeImportFile(
  session: HandedSession,
  place: AgentPlace,
  client: ImportingClient,
): AsyncGenerator<string> {
  const draft: Draft = {
    session,
    client,
    model: userModel(place, session.cwd, client),
    ids: new RisingIds(session.now),
    prompt: "",
  };
  let written = 0;
  for await (const message of session.messages) {
    yield written++ === 0 ? head(draft, message) : ",\n";
    yield message.role === "user" ? promptMessage(draft, message) : answerMessage(draft, message);
  }
  yield written === 0 ? `${head(draft)}]}\n` : "\n]}\n";
}

interface Draft {
  session: HandedSession;
  client: ImportingClient;
  model: UserModel;
  ids: RisingIds;
  prompt: string;
}

function head({ session, client }: Draft, first?: HandedMessage): string {
  const { id, cwd, begun, now } = session;
  const info = {
    id,
    slug: "handed-over",
    version: client.version,
    projectID: "global",
    directory: cwd,
    title: titleOf(session, first),
    time: { created: begun, updated: now },
  };
  return `{"info":${handedJson(info)},"messages":[\n`;
}

const LONGEST_TITLE = 100;

/**
 * Returns the title, which the import requires. The fallback is the prompt's first line, because
 * OpenCode makes titles only for sessions that it starts.
 */
function titleOf({ title, now }: HandedSession, first: HandedMessage | undefined): string {
  if (title !== undefined) return title;
  const said = first?.role === "user" ? first.parts : [];
  const text = said.flatMap((part) => part.type === "text" ? part.text.trim() : []).join("\n");
  const [line = ""] = text.slice(0, 4 * LONGEST_TITLE).trim().split(/[\r\n\u2028\u2029]/);
  const letters = [...line];
  if (letters.length === 0) return `New session - ${new Date(now).toISOString()}`;
  return letters.length <= LONGEST_TITLE ? line : `${letters.slice(0, LONGEST_TITLE).join("")}…`;
}

interface PartFrame {
  id: string;
  sessionID: string;
  messageID: string;
}

function framesOf({ ids, session }: Draft, messageID: string): () => PartFrame {
  return () => ({ id: ids.next("prt"), sessionID: session.id, messageID });
}

function promptMessage(draft: Draft, { time, parts, hidden }: HandedPrompt): string {
  const id = draft.ids.next("msg");
  draft.prompt = id;
  const frame = framesOf(draft, id);
  return handedJson({
    info: {
      id,
      sessionID: draft.session.id,
      role: "user",
      time: { created: time },
      agent: draft.client.agent,
      model: draft.model,
    },
    parts: parts.map((part) =>
      part.type === "text"
        ? { ...frame(), type: "text", text: part.text, ...hidden && { synthetic: true } }
        : { ...frame(), ...file(part) }
    ),
  });
}

/**
 * Returns an answer's JSON. The answer names the user's own model, because OpenCode stops at a
 * model that the user lacks. Cost and tokens are zero, except the total that triggers compaction.
 */
function answerMessage(draft: Draft, { time, text, calls, total_tokens }: HandedAnswer): string {
  const { session: { id: sessionID, cwd, from }, client, model, ids, prompt: parentID } = draft;
  const id = ids.next("msg");
  const frame = framesOf(draft, id);
  const finish = calls.length > 0 ? "tool-calls" : "stop";
  const tokens = present({ total: total_tokens, ...NO_TOKENS });
  return handedJson({
    info: {
      id,
      sessionID,
      role: "assistant",
      time: { created: time, completed: time },
      parentID,
      ...model,
      mode: client.agent,
      agent: client.agent,
      path: { cwd, root: cwd },
      cost: 0,
      tokens,
      finish,
    },
    parts: [
      { ...frame(), type: "step-start" },
      ...(text === "" ? [] : [{ ...frame(), type: "text", text }]),
      ...calls.map((call) => ({ ...frame(), ...toolPart(call, time, frame, from) })),
      { ...frame(), type: "step-finish", reason: finish, cost: 0, tokens },
    ],
  });
}

const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

function toolPart(call: HandedCall, at: number, frame: () => PartFrame, from: string): object {
  const { id: callID, name, input } = call;
  const ended = {
    input,
    metadata: { ...shownOutput(call), ...handedOriginals(from, [call]) },
    time: { start: at, end: at },
  };
  return { type: "tool", callID, tool: name, state: { ...outcome(call, frame), ...ended } };
}

/** Maximum characters of a displayed output. Longer outputs would double the size of the file. */
const MOST_SHOWN_LENGTH = 30_000;

/** Returns the output for OpenCode's screen. Only successful shell commands have one. */
function shownOutput({ name, output, failed }: HandedCall): { output?: string } {
  const text = outputText(output);
  if (name !== "bash" || failed || text.length > MOST_SHOWN_LENGTH) return {};
  return { output: text };
}

/**
 * Returns the outcome of a call. A failed call with images is written as completed, because
 * OpenCode allows images only in completed calls.
 */
function outcome({ output, failed }: HandedCall, frame: () => PartFrame): object {
  const text = outputText(output);
  const images = output.filter(isImage);
  if (failed && images.length === 0) return { status: "error", error: text };
  const attachments = images.map((image) => ({ ...frame(), ...file(image) }));
  return present({
    status: "completed",
    output: text,
    title: "",
    attachments: attachments.length === 0 ? undefined : attachments,
  });
}

function file(image: HandedImage): object {
  const { media_type } = image;
  const filename = `image.${media_type.slice(media_type.indexOf("/") + 1)}`;
  return { type: "file", mime: media_type, filename, url: attachmentUrl(image) };
}

/**
 * Number of digits in an id. OpenCode 1.18 (src/id/id.ts) makes ids of messages and parts from a
 * prefix, twelve rising hexadecimal digits and fourteen random letters. The digits are milliseconds
 * times 4096, cut to 48 bits. So they restart at zero every 795 days.
 *
 * OpenCode sorts by id: parts, messages of the same time, and in older versions all messages.
 * Because of the restart, an id made from an old message's time can sort after new ids. So the
 * digits here rise one by one, and stay below the digits of the present time.
 */
const DIGITS = 12;
const LETTERS = 14;
const PERIOD = 2n ** 48n;
const IDS_A_MS = 4096n;
/** Milliseconds before now at which the ids begin. This leaves four billion ids. */
const BEFORE_NOW_MS = 2n ** 20n;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export class RisingIds {
  #next: bigint;

  /** @param now The current time in Unix milliseconds. All ids get an earlier time. */
  constructor(now: number) {
    const end = BigInt(Math.floor(now)) * IDS_A_MS;
    const start = end - BEFORE_NOW_MS * IDS_A_MS;
    const began_anew = end - end % PERIOD;
    this.#next = start < began_anew ? began_anew : start;
  }

  next(prefix: "msg" | "prt"): string {
    return `${prefix}_${digits(this.#next++)}${randomLetters()}`;
  }
}

/** Returns a session's id. Ids of newer sessions sort first. */
export function sessionId(now: number): string {
  return `ses_${
    digits(PERIOD - 1n - (BigInt(Math.floor(now)) * IDS_A_MS + 1n) % PERIOD)
  }${randomLetters()}`;
}

function digits(stamp: bigint): string {
  return (stamp % PERIOD).toString(16).padStart(DIGITS, "0");
}

function randomLetters(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LETTERS));
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
