/**
 * Finds hits in calls of Reprise's own tools, and of the commands that do the same. Such hits only
 * repeat earlier questions and answers, so searches leave them out.
 */
import type { LogEvent } from "../../core/event/envelope.ts";
import type { SessionEntry } from "../../library/query/query.ts";
import { searchEntries } from "../../library/search/search.ts";
import { SEARCHED_KINDS } from "../../library/search/searchable_text.ts";
import type { SearchHit } from "../../library/search/search_task.ts";
import type { History } from "./history.ts";
import { LABEL, TOOLS } from "./tool_definitions.ts";
import { present } from "../../core/event/present.ts";

/** Texts that show a call of Reprise's own tools: the label of answers, or a command. */
const TRACES = [LABEL, "reprise search", "reprise list", "reprise show"];
const QUERY = TRACES.map((text) => `"${text}"`).join(" OR ");
const COMMAND = /(?:^|[\s;&|(`"'/])reprise\s+(?:search|list|show|conversation|mcp)\b/;
const NAMES = new RegExp(`(?:^|[._-])(?:${TOOLS.map(({ name }) => name).join("|")})$`);

interface OwnCallsOptions {
  entries: readonly SessionEntry[];
  /** True for a session that may be in the middle of a call of Reprise's own tools. */
  isOpen(ref: string): boolean;
  most: number;
}

export async function withoutOwnCalls(
  history: History,
  hits: readonly SearchHit[],
  { entries, isOpen, most }: OwnCallsOptions,
): Promise<SearchHit[]> {
  const refs = new Set(hits.filter(({ role }) => role === "tool").map(({ ref }) => ref));
  const with_hits = entries.filter(({ ref }) => refs.has(ref));
  const byRef = new Map(with_hits.map((entry) => [entry.ref, entry]));
  const suspects = refs.size === 0 ? refs : await traced(history, with_hits);
  const known = new Map<string, ReadonlySet<number>>();
  const left: SearchHit[] = [];
  for (const hit of hits) {
    const { ref, thread = "", seq, role } = hit;
    const entry = byRef.get(ref);
    if (entry !== undefined && role === "tool" && (suspects.has(ref) || isOpen(ref))) {
      const key = `${ref}~${thread}`;
      const there = hits.filter((one) => one.ref === ref && one.thread === hit.thread);
      const seqs = known.get(key) ?? await ownCalls(entry, there);
      known.set(key, seqs);
      if (seqs.has(seq)) continue;
    }
    left.push(hit);
    if (left.length === most) break;
  }
  return left;
}

async function traced(
  { library, now }: History,
  entries: readonly SessionEntry[],
): Promise<ReadonlySet<string>> {
  const asked = { query: QUERY, roles: ["tool"] as const, now: now().getTime() };
  const { hits } = await searchEntries(entries, { ...asked, limit: 10_000 }, {
    cache: library.cache,
  });
  return new Set(hits.map(({ ref }) => ref));
}

/** Returns the `seq` of each event with a hit that belongs to a call of Reprise's own tools. */
async function ownCalls(
  entry: SessionEntry,
  hits: readonly SearchHit[],
): Promise<ReadonlySet<number>> {
  const handle = await entry.open();
  const [{ thread } = {}] = hits;
  const seqs = new Set(hits.map(({ seq }) => seq));
  const last = hits.reduce((latest, { seq }) => Math.max(latest, seq), -Infinity);
  const calls = new Map<string, boolean>();
  const found = new Set<number>();
  const reading = present({ needs: SEARCHED_KINDS, thread });
  for await (const events of handle.events(reading)) {
    for (const event of events) {
      const is_ours = isOurs(event, calls);
      if (is_ours && seqs.has(event.seq)) found.add(event.seq);
    }
    if ((events.at(-1)?.seq ?? 0) >= last) break;
  }
  return found;
}

/**
 * True for an event of a call of Reprise's own tools. Records each call's answer in `calls`, by
 * call id.
 */
function isOurs(event: LogEvent, calls: Map<string, boolean>): boolean {
  if (event.form !== "known") return false;
  switch (event.kind) {
    case "tool_start":
      return calls.get(event.payload.call_id) === true;
    case "tool_end": {
      const { call_id, name, input } = event.payload;
      const is_ours = isOurTool(name, input) ||
        (input === undefined && calls.get(call_id) === true);
      calls.set(call_id, is_ours);
      return is_ours;
    }
    case "bash_start":
    case "bash_end":
      return COMMAND.test(event.payload.command ?? "");
    case "assistant_message":
    case "assistant_interrupted": {
      const { content } = event.payload;
      if (typeof content === "string") return false;
      const made = content.filter((part) => part.type === "tool_call");
      for (const { call_id, name, input } of made) calls.set(call_id, isOurTool(name, input));
      return made.some(({ call_id }) => calls.get(call_id));
    }
    default:
      return false;
  }
}

function isOurTool(name = "", input: unknown = ""): boolean {
  return NAMES.test(name) || COMMAND.test(JSON.stringify(input));
}
