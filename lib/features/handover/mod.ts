/**
 * Hands sessions over. The conversation of any agent's session becomes a new session of another
 * agent, with everything that was said and done.
 *
 * @module
 */
export { type HandoverPlan, type HandoverPlanOptions, planHandover } from "./plan.ts";
export { type HandedOver, handOver, type HandOverOptions } from "./hand_over.ts";
export { HANDOVER_AGENTS, type HandoverTarget, handoverTarget } from "./target.ts";
export { type HandoverReport, handoverReport, type LeftOut } from "./report.ts";
export type { HandedSource } from "./handover_record.ts";
export type { MadeFile } from "./place_session.ts";
export type { HandoverTally } from "./tally.ts";
export type {
  HandedAnswer,
  HandedCall,
  HandedMessage,
  HandedPart,
  HandedPrompt,
  OriginalCall,
} from "../../agents/contract/session_writer.ts";
export type { AgentPlace } from "../../agents/contract/agent_environment.ts";
