/** Reports a planned hand-over for programs, with the parts that are left out. */
import type { AgentName } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import type { HandoverPlan } from "./plan.ts";
import type { HandoverTarget } from "./target.ts";

/** The numbers of messages, calls and other parts in a planned hand-over. */
export interface HandoverReport {
  /** The session's reference, such as `claude:3f2a…`. */
  from: string;
  /** The agent that receives the session. */
  to: string;
  /** True if the agent itself was seen to resume a session that was handed over to it. */
  proven: boolean;
  /** Number of messages of the user. */
  prompts: number;
  /** Number of messages in the user's role that no user typed, such as background reports. */
  notices: number;
  /** Number of messages of the model. */
  answers: number;
  /** Numbers of calls, by the form in which they are handed over. */
  calls: {
    /** Number of calls that became calls of the target's own tools. */
    mapped: number;
    /** Number of calls that kept their original names. */
    native: number;
    /** Number of calls that are described in words. */
    told: number;
    /** Number of calls without a recorded result. Also counted in `mapped`, `native` or `told`. */
    unanswered: number;
    /** Number of calls that the target's agent had made, and gets back in their original form. */
    restored: number;
  };
  /** Number of attached files and texts that are handed over within their prompts. */
  attached: number;
  /** Number of images that are handed over. */
  images: number;
  /** Number of reasoning parts that are handed over. */
  reasoning: number;
  /** Number of left-out items by kind. A kind with none is absent. */
  left_out: Partial<Record<LeftOut, number>>;
  /** Names of the hidden texts that are left out, absent if there are none. */
  hidden?: string[];
  /** Estimated number of tokens that the model gets. */
  tokens: number;
  /** Tokens in the context window of the agent's usual model, absent if unknown. */
  window?: number;
  /** Number of secrets that were found, by their kind. */
  secrets: Record<string, number>;
  /** True if the secrets are replaced in what is handed over. */
  redacted: boolean;
  /** True if a compaction replaces the earlier messages. */
  compacted: boolean;
  /** True if only the last turns are handed over. */
  cut: boolean;
}

/** A kind of thing that a hand-over leaves out. */
export type LeftOut =
  | "system_messages"
  | "environment"
  | "reasoning"
  | "empty_messages"
  | "files"
  | "encrypted";

/**
 * Returns the report of a planned hand-over, as `reprise handover --json` prints it.
 *
 * @param plan The planned hand-over.
 * @param target The agent that gets the session.
 * @returns The report.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { handoverReport, handoverTarget, planHandover } from "@reprise/reprise/handover";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const session = openStore({ root }).create({ cwd: root });
 * await session.turn().user("password: tr0ub4dor&3");
 * await session.finish();
 *
 * const library = openLibrary({ root, variable: () => undefined });
 * const target = await handoverTarget("claude", library.place.environment);
 * const plan = await planHandover(await library.open(session.id), target, { now: Date.now() });
 * assert.deepEqual(handoverReport(plan, target).secrets, { password: 1 });
 * await rm(root, { recursive: true });
 * ```
 */
export function handoverReport(plan: HandoverPlan, target: HandoverTarget): HandoverReport {
  const { tally, from, tokens, secrets, redacted, compacted, cut } = plan;
  const { prompts, notices, answers, mapped, native, told, unanswered, restored, images } = tally;
  const left: Record<LeftOut, number> = {
    system_messages: tally.system,
    environment: tally.environment,
    reasoning: tally.dropped_reasoning,
    empty_messages: tally.empty,
    files: tally.attachments,
    encrypted: tally.sealed,
  };
  return present({
    ...{ from, to: target.agent, proven: target.proven, prompts, notices, answers },
    calls: { mapped, native, told, unanswered, restored },
    ...{ attached: tally.attached, images, reasoning: tally.reasoning },
    left_out: Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0)),
    hidden: tally.hidden_names.size === 0 ? undefined : [...tally.hidden_names],
    ...{ tokens, window: WINDOWS[target.agent] },
    secrets: Object.fromEntries(secrets),
    ...{ redacted, compacted, cut },
  });
}

/**
 * Tokens in the context window, for agents whose usual models all have the same window. Claude
 * Code's models also have a longer option, which is ignored. Codex: GPT-5. Gemini CLI: Gemini 2.5
 * and later. Qwen Code: its `coder-model` (core/tokenLimits.ts). Copilot CLI (1.0) cuts off what
 * exceeds its own window.
 */
const WINDOWS: Partial<Record<AgentName, number>> = {
  claude: 200_000,
  codex: 272_000,
  copilot: 128_000,
  gemini: 1_048_576,
  qwen: 1_000_000,
};
