/**
 * Tracks the steps of a trajectory that may still grow. Tells which response an event belongs to,
 * and when a step is complete.
 *
 * @module
 */
import type { KnownEvent } from "../event/envelope.ts";
import { present } from "../event/present.ts";
import { eventSize, MOST_WAITING } from "./event_size.ts";
import { markStep, type TrajectoryStep } from "./trajectory_step.ts";

export interface OpenStep {
  step: TrajectoryStep;
  message_id: string | undefined;
  /** Number of started calls without a result. */
  open: number;
  /** Value of `TrajectoryState.counted` when the step's first open call began. */
  since: number;
}

export interface TrajectoryState {
  /** Complete steps that were not taken yet, in order. */
  complete: TrajectoryStep[];
  /** Steps after those in `complete`, in order. At least the first step may still grow. */
  steps: OpenStep[];
  /** The response that an event without a message id is added to. */
  current: OpenStep | undefined;
  /** Steps that have calls without a result, by call id, the latest last. */
  calls: Map<string, OpenStep[]>;
  /** Characters of the events that came while a call was open. */
  counted: number;
}

/**
 * Moves the steps before the first one that may still change to `state.complete`. Runs after each
 * event, so that the size of batches has no effect.
 */
export function moveComplete(state: TrajectoryState): void {
  const first = state.steps.findIndex((step) => step.open > 0 || step === state.current);
  const settled = state.steps.splice(0, first < 0 ? state.steps.length : first);
  for (const { step } of settled) state.complete.push(step);
}

export function addStep(
  { steps }: TrajectoryState,
  event: KnownEvent,
  source: TrajectoryStep["source"],
  message: string,
  kind?: string,
): OpenStep {
  const { seq, time } = event;
  const step: TrajectoryStep = present({
    timestamp: time,
    source,
    message,
    extra: present({ seq, kind }),
  });
  markStep(step, event);
  const added = { step, message_id: undefined, open: 0, since: 0 };
  steps.push(added);
  return added;
}

/** Ends all responses so far. Their open calls get no result. */
export function endResponses(state: TrajectoryState): void {
  state.current = undefined;
  for (const steps of state.calls.values()) {
    for (const step of steps) step.open = 0;
  }
  state.calls.clear();
}

/** Adds an event's size to `state.counted`. Call it before the event opens or closes a call. */
export function countEvent(state: TrajectoryState, event: KnownEvent): void {
  if (state.calls.size > 0) state.counted += eventSize(event);
}

/** Closes the calls of steps that got no result within `MOST_WAITING` characters. */
export function closeOverdue({ steps, calls, counted }: TrajectoryState): void {
  for (const one of steps) {
    if (one.open === 0) continue;
    if (counted - one.since <= MOST_WAITING) return;
    one.open = 0;
    for (const [call_id, waiting] of calls) {
      const rest = waiting.filter((other) => other !== one);
      if (rest.length === 0) calls.delete(call_id);
      else calls.set(call_id, rest);
    }
  }
}

/**
 * Returns the response with the event's message id. If the event or the current response has no id,
 * returns the current response if `fits` accepts its step. Else adds a response.
 */
export function responseFor(
  state: TrajectoryState,
  event: KnownEvent,
  message_id: string | undefined,
  fits: (step: TrajectoryStep) => boolean,
): OpenStep {
  const response = openResponse(state, message_id, fits) ?? addResponse(state, event, message_id);
  markStep(response.step, event);
  return response;
}

function openResponse(
  state: TrajectoryState,
  message_id: string | undefined,
  fits: (step: TrajectoryStep) => boolean,
): OpenStep | undefined {
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
  return undefined;
}

function addResponse(
  state: TrajectoryState,
  event: KnownEvent,
  message_id: string | undefined,
): OpenStep {
  const added = addStep(state, event, "agent", "");
  added.message_id = message_id;
  state.current = added;
  return added;
}

export function expectResult(
  { calls, counted }: TrajectoryState,
  call_id: string,
  step: OpenStep,
): void {
  if (step.open++ === 0) step.since = counted;
  const waiting = calls.get(call_id);
  if (waiting === undefined) calls.set(call_id, [step]);
  else waiting.push(step);
}

/** Tracks a call that is not part of a step, so that its result is skipped. */
export function expectUnseen(state: TrajectoryState, call_id: string): void {
  const step: TrajectoryStep = { source: "system", message: "", extra: { seq: 0 } };
  expectResult(state, call_id, { step, message_id: undefined, open: 0, since: 0 });
}
