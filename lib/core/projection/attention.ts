/**
 * Decides if a session needs its user, and for what. Pure.
 *
 * @module
 */
import { isObject } from "../event/guard.ts";
import type { Activity } from "./activity.ts";

export type AskingKind = "question" | "plan";

/** The state of an open session, according to its agent's own record. */
export interface ToldState {
  /** The session `waits` for its user, is `working`, or is `quiet` because its turn is over. */
  state: "waits" | "working" | "quiet";
  /** The reason why the session waits, in the agent's words. */
  waits_for?: string | undefined;
}

/** A session's wait for its user. */
export interface Wait {
  /**
   * The user's next task. `permission`: allow a call. `question`: answer. `plan`: review the plan.
   * `limit`: wait until a usage limit ends. `error`: repair something. `input`: anything else.
   */
  kind: "permission" | "question" | "plan" | "limit" | "error" | "input";
  /** The question, the plan's beginning, the error, or the agent's words; may be empty. */
  text: string;
  /** False for a guess: a call is open, and the session has not changed since. */
  certain: boolean;
}

export type WaitKind = Wait["kind"];

/** A session's need for its user now, and the reason. */
export interface Attention {
  /** `waits` for its user, `failed`, is `working`, or is `quiet` because its turn is over. */
  state: "waits" | "failed" | "working" | "quiet";
  /** The cause of the wait; present only if `state` is `waits`. */
  wait?: Wait;
}

export type AttentionState = Attention["state"];

/** Facts for {@linkcode attentionOf} that the session's last events do not show. */
export interface AttentionFacts {
  told?: ToldState | undefined;
  /** Tools by which the agent asks its user, each with the kind of its request. */
  asks?: Readonly<Record<string, AskingKind>> | undefined;
  /** True if the log records when each call begins to run. @default {false} */
  tells_begin?: boolean;
  /** True if calls are recorded only at their end, so open calls lack records. @default {false} */
  tells_ended_calls?: boolean | undefined;
  /** Milliseconds since the session's last change. */
  silent_ms: number;
}

/** Milliseconds of silence after which an open call may be waiting for permission. */
const SILENT_MS = 20_000;
const LIMIT =
  /\b(?:usage|rate|weekly|session|5-hour|spend(?:ing)?) limit|\blimit reached|quota|too many requests/i;
const MENDABLE =
  /\blog ?in\b|\bsign in\b|credit balance|billing|unauthori[sz]ed|authentication|api key|\b40[13]\b/i;

export function attentionOf(activity: Activity, facts: AttentionFacts): Attention {
  const { state, text } = activity;
  if (state === "failed") {
    const kind = LIMIT.test(text) ? "limit" : MENDABLE.test(text) ? "error" : undefined;
    return kind === undefined ? { state: "failed" } : waits(kind, text);
  }
  const told = facts.told?.state;
  if (told === "working") return { state: "working" };
  if (told === "quiet") return { state: "quiet" };
  const asked = callWait(activity, facts);
  if (told === "waits") return asked ?? waits(toldKind(facts.told), facts.told?.waits_for ?? "");
  if (asked !== undefined) return asked;
  if (state === "waiting" && text.trim() === "") return unfinished(facts);
  return { state: state === "waiting" || state === "interrupted" ? "quiet" : "working" };
}

/** Returns the attention for an answer that so far has only thoughts, or calls not yet recorded. */
function unfinished({ tells_ended_calls = false, silent_ms }: AttentionFacts): Attention {
  const may_wait = tells_ended_calls && silent_ms >= SILENT_MS;
  return may_wait ? waits("input", "", false) : { state: "working" };
}

/** Returns the wait that an open call causes, or undefined if no call is open or the call runs. */
function callWait(
  { state, tool = "", input }: Activity,
  facts: AttentionFacts,
): Attention | undefined {
  if (state !== "running" && state !== "asking") return undefined;
  const { asks = {}, told, tells_begin = false, silent_ms } = facts;
  const kind = Object.hasOwn(asks, tool) ? asks[tool] : undefined;
  const asked = askedText(input);
  // A question without a text is still being written.
  const is_written = kind === "plan" || asked !== "" || told !== undefined;
  if (kind !== undefined && is_written) return waits(kind, asked);
  if (told !== undefined) return waits(toldKind(told), "");
  if (state === "asking") return waits("permission", "");
  if (tells_begin || silent_ms < SILENT_MS) return undefined;
  return waits("permission", "", false);
}

function waits(kind: WaitKind, text: string, certain = true): Attention {
  return { state: "waits", wait: { kind, text, certain } };
}

/** Returns the kind of a wait from its reason in words, as Claude Code (2.1.330) records it. */
function toldKind({ waits_for = "" }: Partial<ToldState> = {}): WaitKind {
  if (/permission|approv/i.test(waits_for)) return "permission";
  return /plan/i.test(waits_for) ? "plan" : "input";
}

/**
 * Returns the text with which a call asks the user. The text is in the argument `questions` in
 * Claude Code, Codex, Gemini CLI and OpenCode. It is in `question` in Cline and Copilot CLI, and in
 * `questionnaire` in Droid.
 */
function askedText(input: unknown): string {
  if (!isObject(input)) return "";
  const { questions } = input;
  if (Array.isArray(questions)) {
    const texts = (questions as unknown[]).map((one) => isObject(one) ? one.question : one);
    return texts.filter((one) => typeof one === "string").join(" / ");
  }
  const names = ["question", "questionnaire", "plan", "response", "summary", "message"];
  const found = names.map((name) => input[name]).find((one) => typeof one === "string");
  return typeof found === "string" ? found : "";
}

const ORDER: readonly AttentionState[] = ["waits", "failed", "working", "quiet"];

export function byAttention(one: Attention, other: Attention): number {
  return ORDER.indexOf(one.state) - ORDER.indexOf(other.state);
}
