/**
 * Maps sessions to the Agent Client Protocol, version 1. A new version of the protocol changes this
 * file, `tool_calls.ts`, `content_blocks.ts`, and the handlers in `serve.ts`. Pure.
 */
import type {
  AgentCapabilities,
  ContentChunk,
  SessionInfo,
  SessionUpdate,
  ToolCall,
  ToolCallContent,
} from "npm:@agentclientprotocol/sdk@2.4.0";
import { REPRISE } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type {
  BashItem,
  DiffItem,
  ItemBase,
  ToolItem,
  TranscriptItem,
} from "../../core/projection/transcript/item.ts";
import { firstLine } from "../../text/render/text_width.ts";
import { markedTitle } from "../../text/render/integrity_mark.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";
import { contentBlocks, shownInput, textBlock } from "./content_blocks.ts";
import { aboutCall, callContent, diffContent, statusOf, TITLE_COLUMNS } from "./tool_calls.ts";

export type { SessionUpdate } from "npm:@agentclientprotocol/sdk@2.4.0";

/** The announced capabilities. All of them are in the stable version of the protocol. */
export const CAPABILITIES: AgentCapabilities = {
  loadSession: true,
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
  promptCapabilities: { embeddedContext: true, image: false, audio: false },
  mcpCapabilities: { http: false, sse: false },
};

/** Returns a session's list row. Undefined without a directory, because editors require one. */
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

function shownTitle(
  { agent, title, altered }: Pick<Summary, "agent" | "title" | "altered">,
): string | null {
  const line = markedTitle(firstLine(title, TITLE_COLUMNS), altered);
  const named = agent === REPRISE ? line : `[${agent}] ${line}`.trim();
  return named === "" ? null : named;
}

/** True for a path that is absolute on any operating system. */
export function isAbsolute(path: string): boolean {
  return sessionDirectory(path) !== undefined;
}

export function infoUpdate(row: Summary): SessionUpdate {
  const { ref, updated_at } = row;
  return present({
    sessionUpdate: "session_info_update",
    title: shownTitle(row),
    updatedAt: updated_at,
    _meta: { "reprise/ref": ref },
  });
}

/** Returns a chunk of a message. Chunks with the same id form one message. */
export function textChunk(
  kind: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
  text: string,
  about: Omit<ContentChunk, "content">,
): SessionUpdate {
  return { sessionUpdate: kind, content: textBlock(text), ...about };
}

interface ItemOptions {
  cwd: string;
  /** Returns an item's id in the updates, such as `m12`. */
  nameOf: (item: ItemBase) => string;
  /** True if the items' numbers are those of their events. @default {true} */
  numbered?: boolean;
}

/** Maps items to updates, in order. A file change is added to the call that made it. */
export class ItemUpdates {
  readonly #options: ItemOptions;
  /** The latest calls, to which later file changes are added. */
  readonly #calls = new Map<string, { id: string; content: ToolCallContent[] }>();

  constructor(options: ItemOptions) {
    this.#options = options;
  }

  /** Returns the updates that show an item. @param whole True to send long texts in full. */
  of(item: TranscriptItem, whole: boolean): SessionUpdate[] {
    const about = { messageId: this.#options.nameOf(item), _meta: this.#metaOf(item) };
    const line = (text: string): SessionUpdate[] => [textChunk("agent_message_chunk", text, about)];
    switch (item.type) {
      case "message": {
        const kind = item.role === "user" ? "user_message_chunk" : "agent_message_chunk";
        const interrupted = item.interrupted ? item.reason ?? "" : undefined;
        const _meta = present({ ...about._meta, "reprise/interrupted": interrupted });
        return contentBlocks(item.content).map((content) => {
          return { sessionUpdate: kind, content, ...about, _meta };
        });
      }
      case "reasoning":
        return [textChunk("agent_thought_chunk", item.text, about)];
      case "tool":
      case "bash":
        return [{ sessionUpdate: "tool_call", ...this.#toolCall(item, whole) }];
      case "diff":
        return this.#change(item);
      case "compaction":
        return line(`[compacted] ${item.status || "The conversation was summarized"}`);
      case "replaced":
        return line(`[replaced] ${item.reason}`);
      case "branched":
        return line(
          `[branched] from event ${item.from_seq}${item.reason ? `: ${item.reason}` : ""}`,
        );
      case "notice":
        // Neither the user nor the model said it.
        return [textChunk("agent_thought_chunk", `[${item.title}] ${item.text}`, about)];
      case "failure":
        return line(`[${item.reason}] ${item.message}`);
      case "unreadable":
        return line(`[unreadable ${item.kind}] ${item.reason}`);
      default:
        return [];
    }
  }

  settled(item: ToolItem | BashItem): SessionUpdate {
    const { toolCallId, status, content } = this.#toolCall(item, true);
    return { sessionUpdate: "tool_call_update", toolCallId, status, content } as SessionUpdate;
  }

  #toolCall(item: ToolItem | BashItem, whole: boolean): ToolCall {
    const { cwd, nameOf } = this.#options;
    const id = `${nameOf(item)}:${item.call_id}`;
    const [name, input] = item.type === "bash"
      ? ["bash", { command: item.command }]
      : [item.name, item.input];
    const content = callContent(item, whole);
    this.#remember(item.call_id, { id, content });
    return present({
      toolCallId: id,
      ...aboutCall(name, input, cwd),
      status: statusOf(item),
      rawInput: shownInput(input, whole),
      content,
      _meta: this.#metaOf(item),
    });
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
      "reprise/seq": this.#options.numbered === false ? undefined : seq,
      "reprise/time": time,
      "reprise/integrity": integrity === "verified" ? undefined : integrity,
    });
  }
}
