import type { SourceAccount } from "../../lib/agents/contract/agent.ts";

/** Returns the sum of an account's parts, which is always its total. */
export function accountSum({ events, side, dead, damage, blank }: SourceAccount): number {
  const sides = Object.values(side).reduce((sum, amount) => sum + amount, 0);
  return events + sides + dead + damage + blank;
}
