import type { SourceTally } from "./_session_source.ts";

/** Where each byte or row of a session went: the parts add up to the whole. */
export function describeTally(tally: SourceTally): string {
  const { events, damage, blank } = tally;
  const ours = "bytes" in tally;
  const [total, unit] = ours ? [tally.bytes, "bytes"] : [tally.total, tally.unit];
  const side = ours ? [] : [
    ...Object.entries(tally.side).map(([type, count]) => `${count} of ${type}`),
    ...(tally.dead === 0 ? [] : [`${tally.dead} of other branches`]),
  ];
  const parts = [`${events} of events`, ...side, `${damage} of damage`, `${blank} blank`];
  return `${total} ${unit} = ${parts.join(" + ")}`;
}
