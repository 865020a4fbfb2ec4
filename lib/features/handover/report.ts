/** Reports a planned hand-over for programs, with the parts that are left out. */
import type { AgentName } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import type { HandoverPlan } from "./plan.ts";
import type { HandoverTarget } from "./target.ts";

/** The account of a hand-over. */
export interface HandoverReport {
  /** The session, such as `claude:3f2a…`. */
  from: string;
  /** The agent that gets it. */
  to: string;
  /** True if the agent itself was seen to resume such a session. */
  proven: boolean;
  /** Messages of the user. */
  prompts: number;
  /** Messages in the user's place that no user typed: of background tasks, of what is left out. */
  notices: number;
  /** Messages of the model. */
  answers: number;
  /** The calls, by what became of them. */
  calls: {
    /** Calls of the target's own tools. */
    mapped: number;
    /** Calls under their own names. */
    native: number;
    /** Calls told in words. */
    told: number;
    /** Calls, of those, that no result was recorded of. */
    unanswered: number;
    /** Calls, of those, that came from the target's agent and are again what they were. */
    restored: number;
  };
  /** Files and texts that were attached to prompts, and go along as text. */
  attached: number;
  /** Images that go along. */
  images: number;
  /** Reasoning that goes along. */
  reasoning: number;
  /** The number of each kind that does not go along; absent where there is none of it. */
  left_out: Partial<Record<LeftOut, number>>;
  /** Names of the hidden texts among it; absent where there is none. */
  hidden?: string[];
  /** Tokens that the model gets, estimated. */
  tokens: number;
  /** Tokens of the window of the agent's usual model; absent where that is not known. */
  window?: number;
  /** Secrets by kind. */
  secrets: Record<string, number>;
  /** True if they are left out. */
  redacted: boolean;
  /** True if a compaction stands for what came before. */
  compacted: boolean;
  /** True if only the last turns go along. */
  cut: boolean;
}

/** A kind of what does not go along. */
export type LeftOut =
  | "system_messages"
  | "environment"
  | "reasoning"
  | "empty_messages"
  | "files"
  | "encrypted";

/**
 * Returns the account of a planned hand-over, as `reprise handover --json` prints it.
 *
 * @param plan What goes along.
 * @param target The agent that gets it.
 * @returns The account.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openStore } from "@reprise/reprise";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { handoverReport, handoverTarget, planHandover } from "@reprise/reprise/handover";
 *
 * const root = await Deno.makeTempDir();
 * await using session = openStore({ root }).create({ cwd: root });
 * await session.turn().user("password: tr0ub4dor&3");
 * await session.finish();
 *
 * const library = openLibrary({ root, variable: () => undefined });
 * const target = await handoverTarget("claude", library.place.environment);
 * const plan = await planHandover(await library.open(session.id), target, { now: Date.now() });
 * assert.deepEqual(handoverReport(plan, target).secrets, { password: 1 });
 * await Deno.remove(root, { recursive: true });
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
 * Tokens in the context window, for agents that have one for all their usual models. Claude Code's is
 * that of its models without a longer option. Codex has GPT-5's, Gemini CLI that of Gemini 2.5 and
 * later, Qwen Code that of its `coder-model` (core/tokenLimits.ts). Copilot CLI (1.0) cuts what
 * exceeds its own.
 */
const WINDOWS: Partial<Record<AgentName, number>> = {
  claude: 200_000,
  codex: 272_000,
  copilot: 128_000,
  gemini: 1_048_576,
  qwen: 1_000_000,
};
