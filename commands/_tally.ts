import type { SourceAccount } from "../lib/source/agent.ts";

/** Says where each byte or row of a session went: the parts add up to the whole. */
export function describeTally(
  { total, unit, events, side, dead, damage, blank }: SourceAccount,
): string {
  const parts = [
    `${events} of events`,
    ...Object.entries(side).map(([type, count]) => `${count} of ${type}`),
    ...(dead === 0 ? [] : [`${dead} of other threads`]),
    `${damage} of damage`,
    `${blank} blank`,
  ];
  return `${total} ${unit} = ${parts.join(" + ")}`;
}
