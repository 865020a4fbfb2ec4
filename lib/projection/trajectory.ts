/**
 * The trajectory: a session as steps of ATIF. A step is what the user said, or one response of the
 * model with its calls and what came back.
 *
 * @module
 */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import type { Content, ToolResultPart } from "../event/message.ts";
import type { EventKind } from "../event/payload.ts";
import { bashResult, toolResult } from "./call_result.ts";
import type { ItemProjection } from "./projection.ts";
import {
  addMetrics,
  toMetrics,
  type TrajectoryCall,
  type TrajectoryStep,
} from "./trajectory_step.ts";

/** A step that may still grow. */
export interface OpenStep {
  /** As far as it is known. */
  step: TrajectoryStep;
  /** The response that it is, where its events name one. */
  message_id: string | undefined;
  /** Started calls without a result. */
  open: number;
}

/** State of {@linkcode trajectory}. */
export interface TrajectoryState {
  /** Steps not taken yet, in order. */
  steps: OpenStep[];
  /** The response that events without an id belong to. */
  current: OpenStep | undefined;
  /** Steps with unsettled calls by call id, the latest last. */
  calls: Map<string, OpenStep[]>;
}

const NEEDS: ReadonlySet<EventKind> = new Set<EventKind>([
  "user_message",
  "assistant_message",
  "assistant_interrupted",
  "reasoning_message",
  "tool_start",
  "tool_end",
  "bash_start",
  "bash_end",
  "diff",
  "compaction_applied",
  "turn_failed",
  "session_closed",
]);

/**
 * The projection to ATIF steps. A response is complete when its calls have their results, or when
 * the user speaks again.
 *
 * @returns A projection to fold, or to take steps from as they are complete.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeEvent, foldEvents, trajectory } from "@reprise/reprise";
 *
 * const event = decodeEvent({ seq: 2, kind: "user_message", payload: { content: "Hello" } });
 * const steps = foldEvents(trajectory(), event === undefined ? [] : [event]);
 * assert.deepEqual(steps, [{ source: "user", message: "Hello", extra: { seq: 2 } }]);
 * ```
 */
export function trajectory(): ItemProjection<TrajectoryState, TrajectoryStep> {
  return {
    needs: NEEDS,
    initial: () => ({ steps: [], current: undefined, calls: new Map() }),
    apply(state, event): TrajectoryState {
      if (isNeeded(event)) applyKnown(state, event);
      return state;
    },
    take: takeComplete,
    result: ({ steps }) => steps.map(({ step }) => step),
  };
}

function isNeeded(event: LogEvent): event is KnownEvent {
  return event.form === "known" && NEEDS.has(event.kind);
}

/** Takes the steps before the first that may still change. */
function takeComplete(state: TrajectoryState): TrajectoryStep[] {
  const first = state.steps.findIndex((step) => step.open > 0 || step === state.current);
  const taken = state.steps.splice(0, first < 0 ? state.steps.length : first);
  return taken.map(({ step }) => step);
}

function applyKnown(state: TrajectoryState, event: KnownEvent): void {
  switch (event.kind) {
    case "user_message":
      endResponses(state);
      return addStep(state, event, "user", textOf(event.payload.content));
    case "reasoning_message":
      return addReasoning(state, event);
    case "assistant_message":
    case "assistant_interrupted":
      return addAnswer(state, event);
    case "tool_start": {
      const { call_id, name, input, message_id } = event.payload;
      return addCall(state, event, call(call_id, name, input), message_id);
    }
    case "bash_start":
      return addCommand(state, event);
    case "tool_end":
      return settle(state, event, toolResult(event.payload));
    case "bash_end":
      return settle(state, event, bashResult(event.payload));
    case "diff":
      return addDiff(state, event);
    case "compaction_applied": {
      const { status, summary } = event.payload;
      return addStep(state, event, "system", summary ?? status, event.kind);
    }
    case "turn_failed":
      endResponses(state);
      return addStep(state, event, "system", event.payload.message, event.kind);
    case "session_closed":
      return endResponses(state);
  }
}

/** A content as text: what is no text is named. */
function textOf(content: Content): string {
  if (typeof content === "string") return content;
  const texts = content.flatMap((part) => {
    if (part.type === "text") return [part.text];
    if (part.type !== "image" && part.type !== "file") return [];
    return [`[${part.type} ${part.media_type}, ${part.bytes} bytes]`];
  });
  return texts.join("\n\n");
}

function addStep(
  { steps }: TrajectoryState,
  { seq, time }: KnownEvent,
  source: TrajectoryStep["source"],
  message: string,
  kind?: string,
): void {
  const step: TrajectoryStep = {
    ...(time === undefined ? {} : { timestamp: time }),
    source,
    message,
    extra: { seq, ...(kind === undefined ? {} : { kind }) },
  };
  steps.push({ step, message_id: undefined, open: 0 });
}

/** Nothing joins the responses so far any more; calls without a result stay without. */
function endResponses(state: TrajectoryState): void {
  state.current = undefined;
  state.calls.clear();
  for (const step of state.steps) step.open = 0;
}

/**
 * The response that an event is part of: by its id, or, where one of both has none, the current one
 * as long as it `fits`.
 */
function responseFor(
  state: TrajectoryState,
  event: KnownEvent,
  message_id: string | undefined,
  fits: (step: TrajectoryStep) => boolean,
): OpenStep {
  const named = message_id === undefined
    ? undefined
    : state.steps.findLast((one) => one.message_id === message_id);
  if (named !== undefined) return named;
  const { current } = state;
  const unnamed = message_id === undefined || current?.message_id === undefined;
  if (current !== undefined && unnamed && fits(current.step)) {
    current.message_id ??= message_id;
    return current;
  }
  addStep(state, event, "agent", "");
  const added = state.steps[state.steps.length - 1] as OpenStep;
  added.message_id = message_id;
  state.current = added;
  return added;
}

function hasOnlyReasoning({ message, tool_calls }: TrajectoryStep): boolean {
  return message === "" && tool_calls === undefined;
}

function joined(before: string | undefined, text: string): string {
  return before === undefined || before === ""
    ? text
    : text === ""
    ? before
    : `${before}\n\n${text}`;
}

function addReasoning(
  state: TrajectoryState,
  event: KnownEvent & { kind: "reasoning_message" },
): void {
  const { content, message_id } = event.payload;
  if (content === "") return;
  const { step } = responseFor(state, event, message_id, hasOnlyReasoning);
  step.reasoning_content = joined(step.reasoning_content, content);
}

function addAnswer(
  state: TrajectoryState,
  event: KnownEvent & { kind: "assistant_message" | "assistant_interrupted" },
): void {
  const { content, message_id } = event.payload;
  const { step } = responseFor(state, event, message_id, hasOnlyReasoning);
  step.message = joined(step.message, textOf(content));
  if (event.kind === "assistant_interrupted") {
    step.extra.interrupted = true;
    return;
  }
  const { model, provider, usage = {}, cost_usd } = event.payload;
  if (model !== undefined) step.model_name = model;
  const metrics = toMetrics(usage, cost_usd, `${provider} ${model}`);
  if (Object.keys(metrics).length > 0) step.metrics = addMetrics(step.metrics ?? {}, metrics);
}

function call(call_id: string, name: string, input: unknown): TrajectoryCall {
  const is_object = typeof input === "object" && input !== null && !Array.isArray(input);
  return {
    tool_call_id: call_id,
    function_name: name,
    arguments: is_object ? input as Record<string, unknown> : { input: input ?? null },
  };
}

/** A command of the model is a call; one that the user ran is told as the user's. */
function addCommand(state: TrajectoryState, event: KnownEvent & { kind: "bash_start" }): void {
  const { call_id, command, origin, message_id, name = "bash" } = event.payload;
  const { input = { command } } = event.payload;
  if (origin === "model") return addCall(state, event, call(call_id, name, input), message_id);
  state.current = undefined;
  addStep(state, event, "user", `$ ${command}`, "bash");
  expectResult(state, call_id, state.steps[state.steps.length - 1] as OpenStep);
}

function addCall(
  state: TrajectoryState,
  event: KnownEvent,
  made: TrajectoryCall,
  message_id: string | undefined,
): void {
  const open = responseFor(state, event, message_id, (step) => step.observation === undefined);
  open.step.tool_calls = [...open.step.tool_calls ?? [], made];
  expectResult(state, made.tool_call_id, open);
}

function expectResult({ calls }: TrajectoryState, call_id: string, step: OpenStep): void {
  step.open++;
  const waiting = calls.get(call_id);
  if (waiting === undefined) calls.set(call_id, [step]);
  else waiting.push(step);
}

/** An end belongs to the latest unsettled start of its id; one without a start is the system's. */
function settle(state: TrajectoryState, event: KnownEvent, result: ToolResultPart): void {
  const { call_id, status, output } = result;
  const waiting = state.calls.get(call_id);
  const open = waiting?.pop();
  if (waiting?.length === 0) state.calls.delete(call_id);
  const extra = status === "ok" ? {} : { extra: { status } };
  if (open === undefined) {
    addStep(state, event, "system", "", "orphan");
    const { step } = state.steps[state.steps.length - 1] as OpenStep;
    step.observation = { results: [{ content: output, ...extra }] };
    return;
  }
  open.open--;
  const { step } = open;
  step.observation ??= { results: [] };
  const source = step.source === "agent" ? { source_call_id: call_id } : {};
  step.observation.results.push({ ...source, content: output, ...extra });
}

function addDiff(state: TrajectoryState, event: KnownEvent & { kind: "diff" }): void {
  const { call_id } = event.payload;
  const made = state.steps.findLast(({ step }) =>
    step.tool_calls?.some(({ tool_call_id }) => tool_call_id === call_id)
  );
  const target = made ?? state.current;
  if (target === undefined) {
    addStep(state, event, "system", "", "diff");
  }
  const { extra } = (target ?? state.steps[state.steps.length - 1] as OpenStep).step;
  extra.diffs = [...extra.diffs ?? [], event.payload];
}
