/**
 * The trajectory: a session as steps of ATIF. A step is a prompt, or one response of the model with
 * its calls and their results.
 *
 * @module
 */
import { contentFor, outputText } from "../event/audience.ts";
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import { isObject } from "../event/guard.ts";
import type { Content, ToolResultPart } from "../event/message.ts";
import type { EventKind } from "../event/payload.ts";
import { bashResult, toolResult } from "./call_result.ts";
import {
  addStep,
  closeOverdue,
  countEvent,
  endResponses,
  expectResult,
  expectUnseen,
  moveComplete,
  type OpenStep,
  responseFor,
  type TrajectoryState,
} from "./open_steps.ts";
import type { ItemProjection } from "./projection.ts";
import {
  addMetrics,
  markStep,
  toMetrics,
  type TrajectoryCall,
  type TrajectoryStep,
} from "./trajectory_step.ts";
import { isHidden } from "./unseen_message.ts";

const NEEDS: ReadonlySet<EventKind> = new Set<EventKind>([
  "user_message",
  "assistant_message",
  "assistant_interrupted",
  "reasoning_message",
  "tool_end",
  "bash_start",
  "bash_end",
  "diff",
  "compaction_applied",
  "turn_failed",
  "session_closed",
]);

/**
 * Returns the projection to ATIF steps. A response is complete when its calls have their results,
 * or when the user speaks again. It is also complete after some 4 million characters without these
 * results. A later result then becomes a separate step.
 *
 * @returns A projection to fold, or to take steps from as they are complete.
 */
export function trajectory(): ItemProjection<TrajectoryState, TrajectoryStep> {
  return {
    needs: NEEDS,
    initial: () => ({ complete: [], steps: [], current: undefined, calls: new Map(), counted: 0 }),
    apply(state, event): TrajectoryState {
      if (!isNeeded(event)) return state;
      countEvent(state, event);
      applyKnown(state, event);
      closeOverdue(state);
      moveComplete(state);
      return state;
    },
    take: (state) => state.complete.splice(0),
    result: ({ complete, steps }) => [...complete, ...steps.map(({ step }) => step)],
  };
}

function isNeeded(event: LogEvent): event is KnownEvent {
  return event.form === "known" && NEEDS.has(event.kind);
}

function applyKnown(state: TrajectoryState, event: KnownEvent): void {
  for (const call_id of unseenCalls(event)) expectUnseen(state, call_id);
  if (isRepeated(event)) return;
  switch (event.kind) {
    case "user_message":
      endResponses(state);
      addPrompt(state, event);
      break;
    case "reasoning_message":
      return addReasoning(state, event);
    case "assistant_message":
    case "assistant_interrupted":
      return addAnswer(state, event);
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
      addStep(state, event, "system", summary ?? status, event.kind);
      break;
    }
    case "turn_failed":
      endResponses(state);
      addStep(state, event, "system", event.payload.message, event.kind);
      break;
    case "session_closed":
      return endResponses(state);
  }
}

/** True for answers and reasoning that only the model gets. Other steps already show their text. */
function isRepeated(event: KnownEvent): boolean {
  if (event.kind === "reasoning_message") return event.payload.audience === "model";
  const said = event.kind === "assistant_message" || event.kind === "assistant_interrupted";
  return said && isHidden(event.payload.content);
}

function unseenCalls(event: KnownEvent): string[] {
  if (event.kind !== "assistant_message" || typeof event.payload.content === "string") return [];
  return event.payload.content.flatMap((part) =>
    part.type === "tool_call" && part.audience === "model" ? [part.call_id] : []
  );
}

function addPrompt(state: TrajectoryState, event: KnownEvent & { kind: "user_message" }): void {
  const { content } = event.payload;
  const sent = contentFor(content, "model");
  const text = textOf(sent.length === 0 ? contentFor(content, "user") : sent);
  addStep(state, event, event.payload.role ?? "user", text);
}

function textOf(content: Content): string {
  if (typeof content === "string") return content;
  const texts = content.flatMap((part) => {
    if (part.type === "text") return [part.text];
    if (part.type !== "image" && part.type !== "file") return [];
    return [`[${part.type} ${part.media_type}, ${part.bytes} bytes]`];
  });
  return texts.join("\n\n");
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
  const response = responseFor(state, event, message_id, hasOnlyReasoning);
  const { step } = response;
  const seen = contentFor(content, "user");
  step.message = joined(step.message, textOf(seen));
  for (const part of typeof seen === "string" ? [] : seen) {
    if (part.type === "reasoning" && part.text !== "") {
      step.reasoning_content = joined(step.reasoning_content, part.text);
    } else if (part.type === "tool_call") {
      expectCall(state, response, call(part.call_id, part.name, part.input));
    }
  }
  if (event.kind === "assistant_interrupted") {
    step.extra.interrupted = true;
    return;
  }
  const { model, usage = {}, cost_usd } = event.payload;
  if (model !== undefined) step.model_name = model;
  const metrics = toMetrics(usage, cost_usd);
  if (Object.keys(metrics).length > 0) step.metrics = addMetrics(step.metrics ?? {}, metrics);
}

function call(call_id: string, name: string, input: unknown): TrajectoryCall {
  return {
    tool_call_id: call_id,
    function_name: name,
    arguments: isObject(input) ? input : { input: input ?? null },
  };
}

/** Adds a step of the user for a command that the user ran. Ignores the agent's commands. */
function addCommand(state: TrajectoryState, event: KnownEvent & { kind: "bash_start" }): void {
  const { call_id, command = "", origin, audience } = event.payload;
  if (origin === undefined) return;
  if (audience === "model") return expectUnseen(state, call_id);
  state.current = undefined;
  expectResult(state, call_id, addStep(state, event, "user", `$ ${command}`, "bash"));
}

function expectCall(state: TrajectoryState, open: OpenStep, made: TrajectoryCall): void {
  open.step.tool_calls = [...open.step.tool_calls ?? [], made];
  expectResult(state, made.tool_call_id, open);
}

/**
 * Adds a result to the step with the latest open call of the same id. A result without an open call
 * becomes a step of the system.
 */
function settle(state: TrajectoryState, event: KnownEvent, result: ToolResultPart): void {
  const { call_id, status, output } = result;
  const waiting = state.calls.get(call_id);
  const open = waiting?.pop();
  if (waiting?.length === 0) state.calls.delete(call_id);
  const extra = status === "ok" ? {} : { extra: { status } };
  if (open === undefined) {
    const { step } = addStep(state, event, "system", "", "orphan");
    step.observation = { results: [{ content: outputText(output), ...extra }] };
    return;
  }
  open.open--;
  const { step } = open;
  markStep(step, event);
  step.observation ??= { results: [] };
  const source = step.source === "agent" ? { source_call_id: call_id } : {};
  step.observation.results.push({ ...source, content: outputText(output), ...extra });
}

function addDiff(state: TrajectoryState, event: KnownEvent & { kind: "diff" }): void {
  const { call_id } = event.payload;
  const made = state.steps.findLast(({ step }) =>
    step.tool_calls?.some(({ tool_call_id }) => tool_call_id === call_id)
  );
  const { step } = made ?? state.current ?? addStep(state, event, "system", "", "diff");
  markStep(step, event);
  step.extra.diffs = [...step.extra.diffs ?? [], event.payload];
}
