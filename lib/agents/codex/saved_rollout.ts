/** The state of a rollout as a place keeps it. */
import { present } from "../../reading/json_value.ts";
import { FEW_PROMPTS, type OpenCall, type Rollout } from "./rollout.ts";

/** What a reading carries over a place where no answer is under way. */
export interface SavedRollout extends
  Partial<
    Pick<Rollout, "cwd" | "model" | "provider" | "turn_id">
  > {
  uncounted: boolean;
  usage: Rollout["usage"];
  /** Items that no event has repeated yet. */
  items: { user: number; assistant: number };
  prompts: string[];
  open: [string, OpenCall][];
  settled: string[];
}

/** Saves the state of a rollout; undefined while something waits for the next record. */
export function saveRollout(rollout: Rollout): SavedRollout | undefined {
  const { started, held, early, waiting, said: { user, assistant } } = rollout;
  const waits = held.length + waiting.length + user.waiting.length + assistant.waiting.length;
  if (!started || early !== undefined || waits > 0) return undefined;
  const { cwd, model, provider, turn_id, uncounted, usage, prompts, open, settled } = rollout;
  return {
    ...present({ cwd, model, provider, turn_id }),
    uncounted,
    usage: { ...usage },
    items: { user: user.items, assistant: assistant.items },
    prompts: [...prompts],
    open: [...open].map(([id, call]) => [id, { ...call }]),
    settled: [...settled],
  };
}

/** Gives a rollout a state that was saved. */
export function restoreRollout(rollout: Rollout, saved: SavedRollout): Rollout {
  const { usage, items, prompts, open, settled, ...fields } = saved;
  Object.assign(rollout, fields);
  rollout.usage = { ...usage };
  rollout.said.user.items = items.user;
  rollout.said.assistant.items = items.assistant;
  rollout.prompts = [...prompts];
  rollout.most_prompts = prompts.length + FEW_PROMPTS;
  for (const [id, call] of open) rollout.open.set(id, { ...call });
  for (const id of settled) rollout.settled.add(id);
  return rollout;
}
