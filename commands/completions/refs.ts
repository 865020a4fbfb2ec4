/**
 * References that begin as what is typed, with the titles of their sessions.
 */
import { AGENT_NAMES, isAgentName } from "../../lib/event/agent_name.ts";
import { rowsOf } from "../../lib/library/candidate.ts";
import type { QueryOptions } from "../../lib/library/query.ts";
import type { Library } from "../../lib/library/library.ts";
import type { Summary } from "../../lib/projection/summary_row.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { agentsOf } from "../_scope.ts";
import type { Candidate } from "./wanted.ts";

/** More than that nobody reads. */
const MOST = 50;
/** A person waits at the keyboard: after that the catalogue answers, as far as it knows. */
const BOUND_MS = 150;
const TITLE_WIDTH = 60;

/** References to sessions: of this project, or where none of them fits, of all. */
export async function refCandidates(context: Context, typed: string): Promise<Candidate[]> {
  const [name = "", prefix] = typed.split(":", 2);
  if (prefix !== undefined) {
    return isAgentName(name) ? await candidates(context, { agent: name }, prefix, typed) : [];
  }
  const found = await candidates(context, {}, typed, typed);
  const agents = AGENT_NAMES.filter((agent) => agent.startsWith(typed));
  // All of them, at every Tab, would hide the sessions.
  if (typed === "" && found.length > 0) return found;
  return [
    ...found,
    ...agents.map((agent) => ({ value: `${agent}:`, description: "its sessions" })),
  ];
}

async function candidates(
  context: Context,
  scope: { agent?: string },
  prefix: string,
  typed: string,
): Promise<Candidate[]> {
  const library = contextLibrary(context);
  const options = { cwd: context.cwd, agents: agentsOf(scope.agent) };
  const listed = rowsWith(library, prefix, { ...options, rows: true });
  const rows = await answerSoon(listed, BOUND_MS, async () => {
    const known = await rowsWith(library, prefix, { ...options, remembered: true });
    return known.length === 0 ? undefined : known;
  });
  return await describe(rows.slice(0, MOST), typed);
}

/** The rows whose id begins so: of this project, or where none does, of all. */
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

/** Short references; whole ones where more than that is typed already. */
async function describe(rows: readonly Summary[], typed: string): Promise<Candidate[]> {
  const { shortIds } = await import("../../lib/render/short_id.ts");
  const { sanitizeLine } = await import("../../lib/render/sanitize.ts");
  const { cutText } = await import("../../lib/render/text_width.ts");
  const { titleText } = await import("../../lib/render/title_text.ts");
  const short = shortIds(rows);
  return rows.map((row, index) => {
    const name = short[index] ?? "";
    const value = name.length < typed.length ? sanitizeLine(row.ref) : name;
    if (row.title === "") return { value };
    return { value, description: cutText(titleText(row), TITLE_WIDTH) };
  });
}

/**
 * Waits for an answer, but only so long. After that it takes a quick answer, where there is one.
 *
 * @param quick Gives what is known without waiting; undefined where nothing is.
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
