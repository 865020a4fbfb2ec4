/**
 * Maps sessions to the Agent Client Protocol, version 1. A new version of the protocol changes this
 * file, and the handlers in `serve.ts`. Pure.
 */
import type {
  AgentCapabilities,
  ContentChunk,
  SessionInfo,
  SessionUpdate,
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
} from "npm:@agentclientprotocol/sdk@2.4.0";
import { resolve } from "node:path";
import type { CallUnderWay } from "../chat/chat_view.ts";
import { REPRISE } from "../event/agent_name.ts";
import { isObject } from "../event/guard.ts";
import { present } from "../event/present.ts";
import type { Summary } from "../projection/summary_row.ts";
import type {
  BashItem,
  DiffItem,
  ItemBase,
  ToolItem,
  TranscriptItem,
} from "../projection/transcript/transcript_item.ts";
import { cutText, firstLine } from "../render/text_width.ts";
import { markedTitle } from "../render/integrity_mark.ts";
import { sanitizeLine, sanitizeText } from "../render/sanitize.ts";
import { inputPath, inputText, summarizeInput } from "../render/input_summary.ts";
import { contentBlocks, textBlock } from "./content_blocks.ts";
import { shortText, shownInput } from "./shorten.ts";
import { toolKind } from "./tool_kind.ts";

export type { SessionUpdate } from "npm:@agentclientprotocol/sdk@2.4.0";

/** Only what the editors' stable entry knows. */
export const CAPABILITIES: AgentCapabilities = {
  loadSession: true,
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
  promptCapabilities: { embeddedContext: true, image: false, audio: false },
  mcpCapabilities: { http: false, sse: false },
};

const TITLE_COLUMNS = 200;
/** Characters of a call that its title is made of. */
const LOOKED_AT = 2000;

/** Returns a session's row; undefined where nothing says its directory, which editors ask for. */
export function sessionInfo(row: Summary): SessionInfo | undefined {
  const { cwd, ref, agent, status, updated_at, message_count } = row;
  if (cwd === undefined || !isAbsolute(cwd)) return undefined;
  return present({
    sessionId: ref,
    cwd,
    title: shownTitle(row),
    updatedAt: updated_at,
    _meta: present({
      "reprise/agent": agent,
      "reprise/status": status,
      "reprise/messages": message_count,
    }),
  });
}

/** Returns a title on one line, behind the name of the agent where that is another one. */
export function shownTitle(
  { agent, title, altered }: Pick<Summary, "agent" | "title" | "altered">,
): string | null {
  const line = markedTitle(firstLine(title, TITLE_COLUMNS), altered);
  const named = agent === REPRISE ? line : `[${agent}] ${line}`.trim();
  return named === "" ? null : named;
}

/** True for a path that is absolute on some system. */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** Tells an editor the title of a session, and the reference of the one that is written. */
export function infoUpdate(row: Summary): SessionUpdate {
  const { ref, updated_at } = row;
  return present({
    sessionUpdate: "session_info_update",
    title: shownTitle(row),
    updatedAt: updated_at,
    _meta: { "reprise/ref": ref },
  });
}

/** Returns a chunk of a message; chunks with one id are one message. */
export function textChunk(
  kind: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
  text: string,
  about: Omit<ContentChunk, "content">,
): SessionUpdate {
  return { sessionUpdate: kind, content: textBlock(text), ...about };
}

/** Returns a call that is announced before it is made. */
export function callUpdate(call: CallUnderWay, id: string, cwd: string): SessionUpdate {
  return { sessionUpdate: "tool_call", ...pendingCall(call, id, cwd) };
}

/** Returns a call that waits. */
export function pendingCall(
  { name, input, title }: CallUnderWay,
  id: string,
  cwd: string,
): ToolCall {
  const about = aboutCall(name, input, cwd);
  const shown = title === "" ? about.title : callTitle(name, title);
  const rawInput = shownInput(input, true);
  return { toolCallId: id, status: "pending", ...about, title: shown, rawInput };
}

/** Returns more of the output of a running call. */
export function outputUpdate(id: string, output: string): SessionUpdate {
  const content = output === "" ? {} : { content: [textContent(output)] };
  return { sessionUpdate: "tool_call_update", toolCallId: id, status: "in_progress", ...content };
}

/** How the items of a transcript are told. */
export interface ItemOptions {
  /** The directory of relative paths. */
  cwd: string;
  /** Returns the name of an item among the updates, such as `m12`. */
  nameOf: (item: ItemBase) => string;
  /** True where the item's number is its event's. @default {true} */
  numbered?: boolean;
}

/** Maps items to updates, in their order. A change is added to the call that made it. */
export class ItemUpdates {
  readonly #options: ItemOptions;
  /** The last calls, for their changes. */
  readonly #calls = new Map<string, { id: string; content: ToolCallContent[] }>();

  constructor(options: ItemOptions) {
    this.#options = options;
  }

  /** Returns the updates of an item. @param whole True to leave its texts as long as they are. */
  of(item: TranscriptItem, whole: boolean): SessionUpdate[] {
    const about = { messageId: this.#options.nameOf(item), _meta: this.#metaOf(item) };
    const line = (text: string): SessionUpdate[] => [textChunk("agent_message_chunk", text, about)];
    switch (item.type) {
      case "message": {
        const kind = item.role === "user" ? "user_message_chunk" : "agent_message_chunk";
        const cut = item.interrupted ? { "reprise/interrupted": item.reason ?? "" } : {};
        const _meta = { ...about._meta, ...cut };
        return contentBlocks(item.content).map((content) => {
          return { sessionUpdate: kind, content, ...about, _meta };
        });
      }
      case "reasoning":
        return [textChunk("agent_thought_chunk", item.text, about)];
      case "tool":
      case "bash":
        return [this.#call(item, whole)];
      case "diff":
        return this.#change(item);
      case "compaction":
        return line(`[compacted] ${item.status || "The conversation was summarized"}`);
      case "replaced":
        return line(`[replaced] ${item.reason}`);
      case "attached":
        return line(`[attached] ${item.name}`);
      case "notice":
        return line(`[${item.title}] ${item.text}`);
      case "failure":
        return line(`[${item.reason}] ${item.message}`);
      case "unreadable":
        return line(`[unreadable ${item.kind}] ${item.reason}`);
      default:
        return [];
    }
  }

  /** Returns the final state of a call that was announced. */
  settled(item: ToolItem | BashItem): SessionUpdate {
    const { toolCallId, status, content } = this.#toolCall(item, true);
    return { sessionUpdate: "tool_call_update", toolCallId, status, content } as SessionUpdate;
  }

  #call(item: ToolItem | BashItem, whole: boolean): SessionUpdate {
    return { sessionUpdate: "tool_call", ...this.#toolCall(item, whole) };
  }

  #toolCall(item: ToolItem | BashItem, whole: boolean): ToolCall {
    const { cwd, nameOf } = this.#options;
    const id = `${nameOf(item)}:${item.call_id}`;
    const [name, input] = item.type === "bash"
      ? ["bash", { command: item.command }]
      : [item.name, item.input];
    const content = callContent(item, whole);
    this.#remember(item.call_id, { id, content });
    return {
      toolCallId: id,
      ...aboutCall(name, input, cwd),
      status: statusOf(item),
      ...(input === undefined ? {} : { rawInput: shownInput(input, whole) }),
      content,
      _meta: this.#metaOf(item),
    };
  }

  #change(item: DiffItem): SessionUpdate[] {
    const { cwd, nameOf } = this.#options;
    const diff = diffContent(item, cwd);
    if (diff === undefined) return [];
    const locations = [{ path: diff.path }];
    const call = item.call_id === undefined ? undefined : this.#calls.get(item.call_id);
    if (call === undefined) {
      const title = `Changed ${firstLine(item.path ?? "", TITLE_COLUMNS)}`;
      const about = { toolCallId: `${nameOf(item)}:diff`, title, kind: "edit" as const };
      const content = [diff];
      return [{ sessionUpdate: "tool_call", ...about, status: "completed", locations, content }];
    }
    call.content = [diff, ...call.content];
    const { id: toolCallId, content } = call;
    return [{ sessionUpdate: "tool_call_update", toolCallId, locations, content }];
  }

  #remember(call_id: string, call: { id: string; content: ToolCallContent[] }): void {
    this.#calls.delete(call_id);
    this.#calls.set(call_id, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > 64 && oldest !== undefined) this.#calls.delete(oldest);
  }

  #metaOf({ seq, time, integrity }: ItemBase): Record<string, unknown> {
    return present({
      ...(this.#options.numbered === false ? {} : { "reprise/seq": seq }),
      "reprise/time": time,
      ...(integrity === "verified" ? {} : { "reprise/integrity": integrity }),
    });
  }
}

function aboutCall(
  name: string,
  input: unknown,
  cwd: string,
): Pick<ToolCall, "title" | "kind" | "locations"> {
  const path = inputPath(input) ?? (isObject(input) ? input["notebook_path"] : undefined);
  const locations: ToolCallLocation[] = typeof path === "string" && path !== ""
    ? [{ path: sanitizeLine(resolve(cwd, path)) }]
    : [];
  return {
    title: callTitle(name, inputText(summarizeInput(input, cwd))),
    kind: toolKind(name),
    locations,
  };
}

/** A title on one line: line ends are shown, and an ellipsis where it is cut. */
function callTitle(name: string, subject: string): string {
  const whole = toolKind(name) === "execute" && subject !== "" ? subject : `${name} ${subject}`;
  const start = whole.trim().slice(0, LOOKED_AT).replaceAll(/[^\S\r\n]+/g, " ");
  const title = cutText(sanitizeLine(start), TITLE_COLUMNS);
  return whole.length > LOOKED_AT && !title.endsWith("…") ? `${title}…` : title;
}

function statusOf({ status }: ToolItem | BashItem): ToolCallStatus {
  return status === "ok" ? "completed" : "failed";
}

function callContent(item: ToolItem | BashItem, whole: boolean): ToolCallContent[] {
  const { output = "", error, status } = item;
  const texts = [
    item.type === "bash" && item.exit_code ? `exit code ${item.exit_code}` : "",
    error ?? (status === "ok" || status === "error" ? "" : status.replace("_", " ")),
  ];
  const blocks = [
    ...contentBlocks(output),
    ...contentBlocks(texts.filter((text) => text !== "").join("\n")),
  ];
  return blocks.map((content) => {
    const is_long = !whole && content.type === "text";
    return { type: "content", content: is_long ? textBlock(shortText(content.text)) : content };
  });
}

function diffContent(
  { path, lines }: DiffItem,
  cwd: string,
): (ToolCallContent & { type: "diff" }) | undefined {
  if (path === undefined || path === "") return undefined;
  const side = (other: "added" | "removed"): string[] =>
    lines.filter(({ kind }) => kind !== "hunk" && kind !== other)
      .map(({ content }) => sanitizeText(content));
  const [before, after] = [side("added"), side("removed")];
  const oldText = before.length === 0 ? null : before.join("\n");
  return {
    type: "diff",
    path: sanitizeLine(resolve(cwd, path)),
    oldText,
    newText: after.join("\n"),
  };
}

/** Returns a text as the content of a call. */
export function textContent(text: string): ToolCallContent {
  return { type: "content", content: textBlock(text) };
}
