/** Completes references to sessions, with their titles. */
import { AGENT_NAMES, isAgentName, REPRISE } from "../../lib/core/event/agent_name.ts";
import { rowsOf } from "../../lib/library/query/candidate.ts";
import type { QueryOptions } from "../../lib/library/query/query.ts";
import type { Library } from "../../lib/library/library.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { agentsOf } from "../_scope.ts";
import type { Completion } from "./wanted.ts";

const MOST = 50;
/** Milliseconds to wait for all sessions. After that, the cached sessions are offered. */
const BOUND_MS = 150;
const TITLE_WIDTH = 60;

/** Completes agents' names and sessions of this project. If no session fits, uses all projects. */
export async function refCandidates(context: Context, typed: string): Promise<Completion[]> {
  const [name = "", prefix] = typed.split(":", 2);
  if (prefix !== undefined) {
    return isAgentName(name) ? await candidates(context, { agent: name }, prefix, typed) : [];
  }
  const found = await candidates(context, {}, typed, typed);
  const agents = AGENT_NAMES.filter((agent) => agent.startsWith(typed));
  // A full list of agents at every Tab would hide the sessions.
  if (typed === "" && found.length > 0) return found;
  return [
    ...found,
    ...agents.map((agent) => ({ value: `${agent}:`, description: "sessions of this agent" })),
  ];
}

async function candidates(
  context: Context,
  scope: { agent?: string },
  prefix: string,
  typed: string,
): Promise<Completion[]> {
  const library = contextLibrary(context);
  const options = { cwd: context.cwd, agents: agentsOf(scope.agent) };
  const listed = rowsWith(library, prefix, { ...options, rows: true });
  const rows = await answerSoon(listed, BOUND_MS, async () => {
    const known = await rowsWith(library, prefix, { ...options, remembered: true });
    return known.length === 0 ? undefined : known;
  });
  return await describe(rows.slice(0, MOST), typed);
}

async function rowsWith(
  library: Library,
  prefix: string,
  options: QueryOptions,
): Promise<Summary[]> {
  for (const scope of ["here", "all"] as const) {
    const { entries } = await library.query({ ...options, scope });
    const rows = (await rowsOf(entries))
      .filter(({ session_id }) => startsWith(session_id, prefix));
    if (rows.length > 0) return rows;
  }
  return [];
}

function startsWith(id: string, prefix: string): boolean {
  return id.startsWith(prefix) || id.startsWith(prefix.toLowerCase());
}

/**
 * Completes a session with its short reference, or with the full reference if the typed text is
 * longer.
 */
async function describe(rows: readonly Summary[], typed: string): Promise<Completion[]> {
  const { shortIds } = await import("../../lib/text/render/short_id.ts");
  const { sanitizeLine } = await import("../../lib/text/render/sanitize.ts");
  const { cutText } = await import("../../lib/text/render/text_width.ts");
  const { titleText } = await import("../../lib/text/render/integrity_mark.ts");
  // Shells offer only what begins with the typed text, and lists show ids without their agents.
  const bare = typed !== "" && !typed.includes(":");
  const short = shortIds(bare ? rows.map((row) => ({ ...row, agent: REPRISE })) : rows);
  return rows.map((row, index) => {
    const name = short[index] ?? "";
    const whole = bare ? row.session_id : row.ref;
    const value = name.length < typed.length ? sanitizeLine(whole) : name;
    if (row.title === "") return { value };
    return { value, description: cutText(titleText(row), TITLE_WIDTH) };
  });
}

/**
 * Waits a limited time for an answer, then returns the quick answer. Without a quick answer, it
 * waits for the slow answer.
 *
 * @param quick Returns an answer from cached facts, or `undefined` if nothing is cached.
 */
export async function answerSoon<Answer>(
  answer: Promise<Answer>,
  milliseconds: number,
  quick: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const late = Symbol("late");
  const { promise, resolve } = Promise.withResolvers<typeof late>();
  const timer = setTimeout(() => resolve(late), milliseconds);
  try {
    const first = await Promise.race([answer, promise]);
    return first === late ? await quick() ?? await answer : first as Answer;
  } finally {
    clearTimeout(timer);
  }
}
