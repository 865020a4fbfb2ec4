/**
 * Events that say again, for people, what an item said to the model: `user_message` and
 * `agent_message` (legacy rollouts), `UserMessage` and `AgentMessage` (0.169). Each item is shown
 * once, as the item. An event whose item never came, because Codex was stopped in between, is kept.
 */
import { emitExtension, type Rollout } from "./rollout.ts";
import type { RolloutRecord } from "./rollout_record.ts";
import type { Disposition } from "./tool_call.ts";

type Speaker = keyof Rollout["said"];

/** An item came: it settles the event that waits for it, or the one to come. */
export function echoItem({ said }: Rollout, speaker: Speaker): void {
  said[speaker].items++;
}

/** An event came that repeats an item. */
export function echoEvent({ said }: Rollout, speaker: Speaker, record: RolloutRecord): Disposition {
  said[speaker].waiting.push(record);
  return "waiting";
}

/** Counts the events whose items came. */
export function settleEchoes({ said, count }: Rollout): void {
  if (said.user.waiting.length + said.assistant.waiting.length === 0) return;
  for (const echo of [said.user, said.assistant]) {
    while (echo.items > 0 && echo.waiting.length > 0) {
      const { source, type } = echo.waiting.shift() as RolloutRecord;
      count(source, type);
      echo.items--;
    }
  }
}

/** A turn ends: what still waits has no item. */
export function endEchoes(rollout: Rollout): void {
  settleEchoes(rollout);
  for (const echo of [rollout.said.user, rollout.said.assistant]) {
    for (const record of echo.waiting) {
      emitExtension(rollout, record);
      rollout.count(record.source);
    }
    echo.waiting = [];
    echo.items = 0;
  }
}
