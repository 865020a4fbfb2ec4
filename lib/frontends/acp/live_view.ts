/** Shows a running turn to an editor, and asks the editor's user for permission. */
import type {
  PermissionOption,
  ToolCall,
  ToolCallUpdate,
} from "npm:@agentclientprotocol/sdk@2.4.0";
import type {
  CallUnderWay,
  ChatView,
  Notice,
  Permission,
  PermissionRequest,
} from "../../features/chat/chat_options.ts";
import type { ModelDelta } from "../../features/chat/models/model.ts";
import type { TranscriptItem } from "../../core/projection/transcript/item.ts";
import { questionText } from "../../text/render/sanitize.ts";
import { callUpdate, outputUpdate, pendingCall, textContent } from "./tool_calls.ts";
import { ItemUpdates, type SessionUpdate, textChunk } from "./protocol.ts";

/** The connected editor, as one session uses it. */
export interface Editor {
  /**
   * Sends an update. Updates of one session keep their order. Resolves when the editor can take
   * more.
   */
  update(update: SessionUpdate): Promise<void>;
  /** Asks the user. Returns the chosen option; undefined if the editor withdrew the question. */
  ask(toolCall: ToolCallUpdate, options: PermissionOption[]): Promise<string | undefined>;
}

const OUTPUT_MS = 250;
/** Maximum number of characters of a running call's output that are sent. */
const OUTPUT_CHARACTERS = 4096;

interface LiveCall {
  id: string;
  output: string;
  told_at: number;
}

export class LiveView implements ChatView {
  /** The editor. Undefined until a new session has its id. */
  editor: Editor | undefined;
  readonly #cwd: string;
  readonly #items: ItemUpdates;
  readonly #calls = new Map<string, LiveCall>();
  #message = crypto.randomUUID();
  #streamed = false;
  #failure = "";
  /** Resolves when the last update is passed to the editor. */
  #told = Promise.resolve();
  /** True while an update is being sent. New pieces of text are joined until then. */
  #is_behind = false;
  /** The model's text that waits while an update is being sent. Undefined if no text waits. */
  #chunk: { kind: "agent_message_chunk" | "agent_thought_chunk"; text: string } | undefined;

  constructor(cwd: string, editor?: Editor) {
    this.editor = editor;
    this.#cwd = cwd;
    this.#items = new ItemUpdates({
      cwd,
      nameOf: (item) => this.#nameOf(item as TranscriptItem),
    });
  }

  /** Returns the error of the last turn, or an empty text after a success. */
  get failure(): string {
    return this.#failure;
  }

  /** Forgets the calls of the last turn, because call ids may be reused. */
  begin(): void {
    this.#failure = "";
    this.#calls.clear();
  }

  onItem(item: TranscriptItem): void {
    if (item.type === "failure") {
      if (item.reason === "error") this.#failure = item.message;
      return;
    }
    const { type } = item;
    if (type === "tool" || type === "bash") return this.#update(this.#items.settled(item));
    // The editor knows the prompt, and has the model's text from the deltas.
    const is_known = type === "message" && item.role === "user" || type === "context";
    const has_come = (type === "message" || type === "reasoning") && this.#streamed;
    if (is_known || has_come) return;
    for (const update of this.#items.of(item, true)) this.#update(update);
  }

  onDelta(delta: ModelDelta): void {
    if (delta.type === "call" || delta.text === "") return;
    this.#streamed = true;
    const kind = delta.type === "text" ? "agent_message_chunk" : "agent_thought_chunk";
    if (this.#chunk?.kind !== kind) this.#sendChunk();
    this.#chunk = { kind, text: (this.#chunk?.text ?? "") + delta.text };
    if (!this.#is_behind) this.#sendChunk();
  }

  onResponseEnd(): void {
    this.#sendChunk();
    this.#message = crypto.randomUUID();
    this.#streamed = false;
  }

  onCall(call: CallUnderWay): void {
    const id = `${this.#message}:${call.call_id}`;
    this.#calls.set(call.call_id, { id, output: "", told_at: -Infinity });
    this.#update(callUpdate(call, id, this.#cwd));
  }

  onOutput(call_id: string, text: string): void {
    const call = this.#calls.get(call_id);
    if (call === undefined) return;
    call.output = (call.output + text).slice(-OUTPUT_CHARACTERS);
    if (this.#is_behind || performance.now() - call.told_at < OUTPUT_MS) return;
    call.told_at = performance.now();
    this.#update(outputUpdate(call.id, call.output.toWellFormed()));
  }

  onNotice({ message }: Notice): void {
    const messageId = crypto.randomUUID();
    this.#update(textChunk("agent_message_chunk", `[reprise] ${message}`, { messageId }));
  }

  /** Asks the editor's user for permission. Refuses the call if asking is impossible. */
  async permit(request: PermissionRequest): Promise<Permission> {
    const id = this.#idOf(request.call_id);
    const call = askedCall(request, id, this.#cwd);
    const options = permissionOptions(request);
    const answer = await this.editor?.ask(call, options);
    if (!options.some(({ optionId }) => optionId === answer)) return "no";
    if (answer !== "yes" && answer !== "always") return "no";
    this.#update(outputUpdate(id, ""));
    return answer;
  }

  async caughtUp(): Promise<void> {
    await this.#told;
  }

  #sendChunk(): void {
    if (this.#chunk === undefined) return;
    const { kind, text } = this.#chunk;
    this.#chunk = undefined;
    this.#update(textChunk(kind, text, { messageId: this.#message }));
  }

  #update(update: SessionUpdate): void {
    this.#sendChunk();
    const told = this.editor?.update(update) ?? Promise.resolve();
    this.#told = told;
    this.#is_behind = true;
    void told.then(() => {
      if (this.#told !== told) return;
      this.#is_behind = false;
      this.#sendChunk();
    });
  }

  #nameOf(item: TranscriptItem): string {
    const { call_id } = item as { call_id?: string };
    if (call_id === undefined) return this.#message;
    // The id of a call ends in the name that the provider gave it.
    return this.#idOf(call_id).slice(0, -call_id.length - 1);
  }

  #idOf(call_id: string): string {
    return this.#calls.get(call_id)?.id ?? `${this.#message}:${call_id}`;
  }
}

/** Leaves out `always` for a truncated call. */
function permissionOptions(
  { scope, left_out }: Pick<PermissionRequest, "scope" | "left_out">,
): PermissionOption[] {
  const name = `Always allow ${scope} in this session`;
  return [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    ...left_out > 0 ? [] : [{ optionId: "always", name, kind: "allow_always" } as const],
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ];
}

function askedCall(request: PermissionRequest, id: string, cwd: string): ToolCall {
  const { asked, left_out, reason } = request;
  const texts = [`This call ${reason}.`, fenced(questionText(asked, left_out))];
  return { ...pendingCall(request, id, cwd), content: texts.map(textContent) };
}

/** Puts a text into a Markdown code fence, so that no part of it is hidden. */
function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
