/**
 * Converts the visible part of a Keen Code turn to events. Keen Code 0.38.1,
 * internal/session/event.go `TranscriptItem`, internal/cli/repl/session_replay.go.
 */
import type { Audience } from "../../event/message.ts";
import type { DiffLine, EventKind, PayloadByKind } from "../../event/payload.ts";
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { asText, present } from "../../reading/records/json_value.ts";
import { addCall, emitResponse, startResponse } from "../../reading/events/response_draft.ts";
import type { AssistantTurn, KeenDiffLine, ToolActivity, TranscriptItem } from "./keen_event.ts";

/** What stands for the prose of an interrupted turn that has none. */
const NOTHING = "";

interface OpenCall {
  call_id: string;
  name: string;
  input: unknown;
}

/**
 * True where the text that was shown of a turn is what Keen sends of it. Reasoning is never sent, and
 * tools only as the turn's memory has them.
 */
export function isTextSent({ transcript, message, turn_memory }: AssistantTurn): boolean {
  if ((turn_memory?.tool_activity?.length ?? 0) > 0) return false;
  const items = transcript ?? [];
  const texts = items.flatMap((item) => item?.kind === "text" ? [item.content ?? ""] : []);
  if (items.length === 0) return true;
  return texts.length === 0 ? !message : texts.length === 1 && texts[0] === (message ?? "");
}

/** How a turn is told. */
export interface TurnTelling {
  origin: EventOrigin;
  /** Whether the model gets the text that was shown; it gets nothing else of that. */
  text_sent: boolean;
}

/** Adds what was shown of a turn. */
export function emitTurn(
  writer: EventWriter,
  turn: AssistantTurn,
  { origin, text_sent }: TurnTelling,
): void {
  const { message, interrupted, error } = turn;
  const items = (turn.transcript ?? []).map((item) => item ?? {});
  const last = items.at(-1);
  const cut = interrupted === true && last?.kind === "text" ? last.content ?? NOTHING : NOTHING;
  const whole = cut === NOTHING ? items : items.slice(0, -1);
  const text_audience = text_sent ? undefined : "user";
  const events = new TurnEvents(writer, turn.turn_memory?.tool_activity ?? [], {
    origin,
    text_audience,
  });
  for (const item of whole) events.take(item);
  events.endResponse();
  writer.audience = text_audience;
  // A turn may have prose alone: nothing but its message was kept.
  const unseen = items.length === 0 ? message ?? NOTHING : NOTHING;
  if (interrupted) {
    const content = cut === NOTHING ? unseen : cut;
    writer.emit("assistant_interrupted", { content, reason: "user" }, origin);
  } else if (unseen !== NOTHING) {
    writer.emit("assistant_message", { content: unseen }, origin);
  }
  writer.audience = undefined;
  if (error) writer.emit("turn_failed", { reason: "error", message: error }, origin);
}

class TurnEvents {
  readonly #writer: EventWriter;
  readonly #origin: EventOrigin;
  readonly #first: number;
  /** What the model remembers of the shell commands, in their order. */
  readonly #commands: ToolActivity[];
  /** Who alone got the texts; all else that was shown is never sent. */
  readonly #text_audience: Audience | undefined;
  #open: OpenCall[] = [];
  #calls = 0;
  /** What the model said, thought and called since the last result. */
  #draft = startResponse();

  constructor(
    writer: EventWriter,
    activity: readonly (ToolActivity | null)[],
    { origin, text_audience }: { origin: EventOrigin; text_audience: Audience | undefined },
  ) {
    this.#writer = writer;
    this.#origin = origin;
    this.#text_audience = text_audience;
    this.#first = writer.seq + 1;
    this.#commands = activity.flatMap((one) => one?.tool === "bash" ? [one] : []);
  }

  take(item: TranscriptItem): void {
    const { kind, content, tool_start } = item;
    if (kind === "text") this.#say(content ?? "");
    else if (kind === "reasoning") this.#think(content ?? "");
    else if (kind === "tool_start" && tool_start) this.#start(tool_start);
    else this.#takeOther(item);
  }

  /** What is no part of a response ends the one before it. */
  #takeOther(item: TranscriptItem): void {
    const { kind, tool_end, bash, diff } = item;
    if (!bash) this.endResponse();
    if (kind === "tool_end" && tool_end) this.#end(tool_end);
    else if (kind === "bash" && bash) this.#bash(bash);
    else if (kind === "diff" && diff) this.#diff(diff.lines ?? []);
    else this.#emit("extension", { agent: "keen", type: kind || "transcript_item", data: item });
  }

  #emit<Kind extends EventKind>(kind: Kind, payload: PayloadByKind[Kind]): void {
    this.#writer.audience = "user";
    this.#writer.emit(kind, payload, this.#origin);
    this.#writer.audience = undefined;
  }

  #say(text: string): void {
    const { parts } = this.#draft;
    if (parts.some(({ type }) => type !== "reasoning")) this.endResponse();
    const audience = this.#text_audience;
    this.#draft.parts.push({ type: "text", text, ...(audience === undefined ? {} : { audience }) });
  }

  #think(text: string): void {
    this.#draft.parts.push({ type: "reasoning", text, audience: "user" });
  }

  /** Adds the response under way, if there is one. */
  endResponse(): void {
    const draft = this.#draft;
    if (draft.parts.length === 0) return;
    this.#draft = startResponse();
    emitResponse(this.#writer, draft, {}, this.#origin);
  }

  /** There are no ids: the place in the log makes one. */
  #newId(): string {
    return `call_${this.#first}_${++this.#calls}`;
  }

  #start({ name, input }: NonNullable<TranscriptItem["tool_start"]>): void {
    const call = { call_id: this.#newId(), name: name ?? "", input: input ?? {} };
    this.#open.push(call);
    addCall(this.#draft, { ...call, audience: "user" });
  }

  /** Ends the first call of its name and input that is open, else of its name, else it is alone. */
  #end(end: NonNullable<TranscriptItem["tool_end"]>): void {
    const name = end.name ?? "";
    const input = JSON.stringify(end.input ?? {});
    const named = this.#open.filter((call) => call.name === name);
    const call = named.find((one) => JSON.stringify(one.input) === input) ?? named[0];
    this.#open = this.#open.filter((one) => one !== call);
    const { error, duration_ns } = end;
    this.#emit(
      "tool_end",
      present({
        call_id: call?.call_id ?? this.#newId(),
        name,
        status: error ? "error" : "ok",
        output: outputText(end.output),
        error: error || undefined,
        input: end.input ?? undefined,
        duration_ns: duration_ns ?? undefined,
      }),
    );
  }

  /** A command is one item, written when it ended. */
  #bash(bash: NonNullable<TranscriptItem["bash"]>): void {
    const { output, error, duration_ns } = bash;
    const call_id = this.#newId();
    const command = bash.command ?? "";
    const summary = bash.summary || undefined;
    const call = present({ call_id, command, summary });
    const declared = { call_id, name: "bash", input: { command }, audience: "user" } as const;
    addCall(this.#draft, declared, { command, summary });
    this.endResponse();
    this.#emit("bash_end", {
      ...call,
      status: error ? "error" : "ok",
      ...present({
        output: output ?? undefined,
        error: error || undefined,
        exit_code: this.#commands.shift()?.exit_code ?? undefined,
        duration_ns: duration_ns ?? undefined,
      }),
    });
  }

  /** A diff is shown while its tool runs. */
  #diff(lines: readonly (KeenDiffLine | null)[]): void {
    const call = this.#open.at(-1);
    const path = asText((call?.input as { path?: unknown } | undefined)?.path);
    const call_id = call?.call_id;
    this.#emit("diff", present({ call_id, path, lines: lines.map((line) => toLine(line ?? {})) }));
  }
}

/** Keen keeps what the tool gave as it is: a text, or any JSON. */
function outputText(output: unknown): string | undefined {
  if (output === undefined || output === null) return undefined;
  return typeof output === "string" ? output : JSON.stringify(output);
}

const LINE_KINDS = ["context", "added", "removed", "hunk"] as const;

function toLine({ Kind, OldLineNum, NewLineNum, Content }: KeenDiffLine): DiffLine {
  return present({
    kind: LINE_KINDS[Kind ?? 0] ?? "context",
    old: OldLineNum || undefined,
    new: NewLineNum || undefined,
    content: Content ?? "",
  });
}
