/** Recognizes sessions of subagents, and adds their usage and cost to the parent's session. */
import type { NewEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { present } from "../event/present.ts";
import type { ParentInfo, SessionStartedPayload, TokenUsage } from "../event/payload.ts";
import type { SummaryState } from "../projection/summary.ts";
import type { Summary } from "../projection/summary_row.ts";
import type { Sums } from "./session_parts.ts";
import type { CreateOptions, SubagentOptions } from "./store_options.ts";
import { added, addUsage } from "../projection/token_usage.ts";

const SUBAGENT = "subagent";

export function isSubagent(
  row: { readonly agent?: string; readonly parent?: ParentInfo } | null | undefined,
): boolean {
  return row?.parent?.reason === SUBAGENT && (row.agent ?? "reprise") === "reprise";
}

/**
 * Groups each session with the sessions of its subagents. Callers remove a group as a whole,
 * because a session's cost includes that of its subagents.
 *
 * @returns Groups in the order of their last members in `all`. Members keep the order of `all`.
 */
export function familiesOf<One>(
  all: readonly One[],
  rowOf: (one: One) => Pick<Summary, "session_id" | "parent" | "agent">,
): One[][] {
  const byId = new Map(all.map((one) => [rowOf(one).session_id, one]));
  const rootOf = (one: One, below: readonly One[] = []): One => {
    const row = rowOf(one);
    const parent = isSubagent(row) ? byId.get(row.parent?.session_id ?? "") : undefined;
    // A damaged head may name a session below its own.
    return parent === undefined || below.includes(parent) ? one : rootOf(parent, [...below, one]);
  };
  const families = [...Map.groupBy(all, (one) => rootOf(one)).values()];
  const places = new Map(all.map((one, index) => [one, index]));
  const last = (family: readonly One[]): number => places.get(family.at(-1) as One) ?? 0;
  return families.sort((one, other) => last(one) - last(other));
}

export function checkParent(
  id: string,
  row: { readonly parent?: ParentInfo },
  parent_id: string,
): void {
  if (isSubagent(row) && row.parent?.session_id === parent_id) return;
  const message = `Cannot resume subagent: session ${id} is not a subagent of ${parent_id}; ` +
    "use store.resume() to continue it";
  throw new SessionError("invalid-argument", message, { ref: id });
}

const ARCHIVED: NewEvent = { kind: "session_archived", payload: { archived: true } };

export function endOfSubagent({ started, archived }: SummaryState): NewEvent[] {
  return isSubagent(started) && !archived ? [ARCHIVED] : [];
}

export function subagentOptions(
  session_id: string,
  parent: SessionStartedPayload | undefined,
  options: SubagentOptions,
): CreateOptions {
  const { cwd = "", app, git } = parent ?? {};
  return {
    ...present({ app, git }),
    ...present(options),
    cwd,
    parent: { session_id, reason: SUBAGENT },
  };
}

/** Adds the subagents' usage and cost to a row. `main` then has the values before the addition. */
export function withSums<Row extends Sums>(row: Row, subagents: readonly Sums[]): Row {
  const more = subagents.filter(({ usage }) => usage !== undefined);
  // If the row's own sums are unknown, the total is unknown, too.
  if (row.usage === undefined || more.length === 0) return row;
  const usage: TokenUsage = { ...row.usage };
  let { cost_usd } = row;
  for (const one of more) {
    addUsage(usage, one.usage ?? {});
    if (one.cost_usd !== undefined) cost_usd = added(cost_usd, one.cost_usd);
  }
  const main = present({ usage: row.usage, cost_usd: row.cost_usd });
  return { ...row, ...present({ usage, cost_usd, main }) };
}

export function withSubagents(rows: readonly Summary[]): Summary[] {
  if (!rows.some(isSubagent)) return [...rows];
  const below = Map.groupBy(rows.filter(isSubagent), ({ parent }) => parent?.session_id ?? "");
  const total = (row: Summary, above: readonly Summary[]): Summary => {
    // A damaged head may name a session below its own.
    const children = (below.get(row.session_id) ?? []).filter((one) => !above.includes(one));
    return withSums(row, children.map((one) => total(one, [...above, one])));
  };
  return rows.map((row) => total(row, [row]));
}
