/**
 * Converts a Keen Code turn to events: what a person saw of it, then what the model gets again. Keen
 * Code 0.38.1, internal/session/event.go `TranscriptItem`, internal/cli/repl/session_replay.go.
 */
import type { Audience } from "../../core/event/message.ts";
import type { DiffLine, EventKind, PayloadByKind } from "../../core/event/payload.ts";
import {
  addCall,
  emitResponse,
  type ResponseDraft,
  startResponse,
} from "../engine/events/response_draft.ts";
import { asText, present } from "../engine/json.ts";
import type { KeenDiffLine, KeenItem, KeenTurn, ToolActivity } from "./keen_event.ts";
import { emitSent, type TurnTarget } from "./provider_view.ts";

interface ShownTurn extends TurnTarget {
  /** The only audience of the turn's texts, or undefined for both. Other items are never sent. */
  readonly text_audience: Audience | undefined;
  /** The shell calls in `turn_memory`, in order, each removed once its exit code is used. */
  readonly commands: ToolActivity[];
  /** The text, thoughts and calls since the last result. */
  draft: ResponseDraft;
  open: OpenCall[];
  calls: number;
}

interface OpenCall {
  call_id: string;
  name: string;
  input: unknown;
}

export function emitTurn(turn: KeenTurn, target: TurnTarget): void {
  const text_sent = isTextSent(turn);
  emitShown(turn, target, text_sent ? undefined : "user");
  if (!text_sent) emitSent(turn, target);
}

/**
 * True if Keen sends exactly the text that the user saw. Keen never sends reasoning. Of the tools,
 * it sends only the calls in `turn_memory`.
 */
function isTextSent({ transcript, message, turn_memory }: KeenTurn): boolean {
  if ((turn_memory?.tool_activity?.length ?? 0) > 0) return false;
  const items = transcript ?? [];
  const texts = items.flatMap((item) => item?.kind === "text" ? [item.content ?? ""] : []);
  if (items.length === 0) return true;
  return texts.length === 0 ? !message : texts.length === 1 && texts[0] === (message ?? "");
}

function emitShown(
  { transcript, message, turn_memory, interrupted, error }: KeenTurn,
  { writer, origin, number }: TurnTarget,
  text_audience: Audience | undefined,
): void {
  const items = (transcript ?? []).map((item) => item ?? {});
  const last = items.at(-1);
  const cut = interrupted === true && last?.kind === "text" ? last.content ?? "" : "";
  const commands = (turn_memory?.tool_activity ?? []).flatMap((one) =>
    one?.tool === "bash" ? [one] : []
  );
  const draft = startResponse();
  const turn = { writer, origin, number, text_audience, commands, draft, open: [], calls: 0 };
  for (const item of cut === "" ? items : items.slice(0, -1)) takeItem(turn, item);
  endResponse(turn);
  writer.audience = text_audience;
  // A turn may have prose alone: nothing but its message was kept.
  const unseen = items.length === 0 ? message ?? "" : "";
  if (interrupted) {
    writer.emit("assistant_interrupted", { content: cut || unseen, reason: "user" }, origin);
  } else if (unseen !== "") {
    writer.emit("assistant_message", { content: unseen }, origin);
  }
  writer.audience = undefined;
  if (error) writer.emit("turn_failed", { reason: "error", message: error }, origin);
}

function takeItem(turn: ShownTurn, item: KeenItem): void {
  const { kind, content, tool_start, tool_end, bash, diff } = item;
  if (kind === "text") return addText(turn, content ?? "");
  if (kind === "reasoning") {
    turn.draft.parts.push({ type: "reasoning", text: content ?? "", audience: "user" });
    return;
  }
  if (kind === "tool_start" && tool_start) return addStart(turn, tool_start);
  // An item outside of a response ends the open response. A command ends its response itself.
  if (!bash) endResponse(turn);
  if (kind === "tool_end" && tool_end) endCall(turn, tool_end);
  else if (kind === "bash" && bash) addCommand(turn, bash);
  else if (kind === "diff" && diff) emitDiff(turn, diff.lines ?? []);
  else {emitForUser(turn, "extension", {
      agent: "keen",
      type: kind || "transcript_item",
      data: item,
    });}
}

/** Emits an event for the user only, as Keen never sends it to the model. */
function emitForUser<Kind extends EventKind>(
  { writer, origin }: ShownTurn,
  kind: Kind,
  payload: PayloadByKind[Kind],
): void {
  writer.audience = "user";
  writer.emit(kind, payload, origin);
  writer.audience = undefined;
}

function addText(turn: ShownTurn, text: string): void {
  if (turn.draft.parts.some(({ type }) => type !== "reasoning")) endResponse(turn);
  turn.draft.parts.push(present({ type: "text", text, audience: turn.text_audience }));
}

function endResponse(turn: ShownTurn): void {
  const { writer, origin, draft } = turn;
  if (draft.parts.length === 0) return;
  turn.draft = startResponse();
  emitResponse(writer, draft, {}, origin);
}

/** Returns a new id for a call, made from the record's number, as Keen records no ids. */
function newId(turn: ShownTurn): string {
  return `call_${turn.number}_${++turn.calls}`;
}

function addStart(
  turn: ShownTurn,
  { name, input }: NonNullable<KeenItem["tool_start"]>,
): void {
  const call = { call_id: newId(turn), name: name ?? "", input: input ?? {} };
  turn.open.push(call);
  addCall(turn.draft, { ...call, audience: "user" });
}

/** Emits a result for the first open call of the same name, preferably with the same input. */
function endCall(turn: ShownTurn, end: NonNullable<KeenItem["tool_end"]>): void {
  const { error, duration_ns } = end;
  const name = end.name ?? "";
  const input = JSON.stringify(end.input ?? {});
  const named = turn.open.filter((call) => call.name === name);
  const call = named.find((one) => JSON.stringify(one.input) === input) ?? named[0];
  turn.open = turn.open.filter((one) => one !== call);
  emitForUser(
    turn,
    "tool_end",
    present({
      call_id: call?.call_id ?? newId(turn),
      name,
      status: error ? "error" : "ok",
      output: outputText(end.output),
      error: error || undefined,
      input: end.input ?? undefined,
      duration_ns: duration_ns ?? undefined,
    }),
  );
}

/** Emits a shell command. Keen writes it as one item when the command has ended. */
function addCommand(turn: ShownTurn, bash: NonNullable<KeenItem["bash"]>): void {
  const { output, error, duration_ns } = bash;
  const command = bash.command ?? "";
  const call = present({ call_id: newId(turn), command, summary: bash.summary || undefined });
  const { call_id, summary } = call;
  const declared = { call_id, name: "bash", input: { command }, audience: "user" } as const;
  addCall(turn.draft, declared, { command, summary });
  endResponse(turn);
  emitForUser(
    turn,
    "bash_end",
    present({
      ...call,
      status: error ? "error" : "ok",
      output: output ?? undefined,
      error: error || undefined,
      exit_code: turn.commands.shift()?.exit_code ?? undefined,
      duration_ns: duration_ns ?? undefined,
    }),
  );
}

/** Emits a diff. Keen shows it while the tool is running, so it belongs to the last open call. */
function emitDiff(turn: ShownTurn, lines: readonly (KeenDiffLine | null)[]): void {
  const call = turn.open.at(-1);
  const path = asText((call?.input as { path?: unknown } | undefined)?.path);
  const call_id = call?.call_id;
  const shown = lines.map((line) => toLine(line ?? {}));
  emitForUser(turn, "diff", present({ call_id, path, lines: shown }));
}

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
