/**
 * Hands sessions over. The conversation of any agent's session becomes a new session of another
 * agent, with everything that was said and done.
 *
 * @module
 */
export { type HandoverPlan, type HandoverPlanOptions, planHandover } from "./plan.ts";
export type { CallForm } from "./handed_call.ts";
export type { PartCounts } from "./handed_parts.ts";
export type { Unseen } from "./spoken_messages.ts";
export type { HandoverTally, MessageCounts } from "./tally.ts";
