/** A place in a thread behind which it can be read without what is before it. */
import type { ReadPlace } from "../../source/session_reading.ts";
import type { EventWriter } from "../../reading/events/event_writer.ts";
import type { OpenCall, Rollout } from "./rollout.ts";

/** What is carried over a place where no answer is under way. */
type Carried = Pick<
  Rollout,
  "started" | "meta" | "cwd" | "model" | "provider" | "turn_id" | "uncounted" | "most_prompts"
>;

/** A place behind a line of a thread. */
export interface ThreadPlace extends ReadPlace {
  /** Index of the stretch, and where in its file it goes on. */
  stretch: number;
  offset: number;
  line: number;
  carried: Carried;
  usage: Rollout["usage"];
  /** Items that no event has repeated yet. */
  said: { user: number; assistant: number };
  prompts: readonly string[];
  open: readonly (readonly [string, OpenCall])[];
  /** The first so many of all calls have their output. */
  settled: number;
  /** All calls that have their output, in their order. */
  all_settled: ReadonlySet<string>;
}

/** True where nothing waits for the next line. */
export function isSettled({ held, early, waiting, said }: Rollout): boolean {
  return held.length === 0 && early === undefined && waiting.length === 0 &&
    said.user.waiting.length === 0 && said.assistant.waiting.length === 0;
}

/** Describes the place behind a line. */
export function placeBehind(
  rollout: Rollout,
  { seq }: EventWriter,
  where: Pick<ThreadPlace, "stretch" | "offset" | "line">,
): ThreadPlace {
  const { started, meta, cwd, model, provider, turn_id, uncounted, most_prompts } = rollout;
  return {
    seq,
    ...where,
    carried: { started, meta, cwd, model, provider, turn_id, uncounted, most_prompts },
    usage: { ...rollout.usage },
    said: { user: rollout.said.user.items, assistant: rollout.said.assistant.items },
    prompts: [...rollout.prompts],
    open: [...rollout.open].map(([id, call]) => [id, { ...call }]),
    settled: rollout.settled.size,
    all_settled: rollout.settled,
  };
}

/** Gives a rollout the state that it had at a place. */
export function goTo(rollout: Rollout, place: ThreadPlace): void {
  Object.assign(rollout, place.carried);
  rollout.usage = { ...place.usage };
  rollout.said.user.items = place.said.user;
  rollout.said.assistant.items = place.said.assistant;
  rollout.prompts = [...place.prompts];
  for (const [id, call] of place.open) rollout.open.set(id, { ...call });
  let left = place.settled;
  for (const id of place.all_settled) {
    if (left-- === 0) break;
    rollout.settled.add(id);
  }
}
