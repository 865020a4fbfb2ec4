/**
 * References that begin as what is typed, with the titles of their sessions.
 */
import { AGENT_NAMES, isAgentName } from "../../lib/event/agent_name.ts";
import type { Summary } from "../../lib/projection/summary_row.ts";
import type { Candidate } from "./wanted.ts";
import type { Context } from "../_context.ts";
import { listScoped } from "../_scope.ts";
import { contextLibrary } from "../_library.ts";

/** More than that nobody reads. */
const MOST = 50;
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
  for (const flags of [{ ...scope, here: true }, { ...scope, all: true }] as const) {
    const { entries } = await listScoped(context, library, flags);
    const rows = entries.map(({ row }) => row)
      .filter(({ session_id }) => startsWith(session_id, prefix));
    if (rows.length > 0) return await describe(rows.slice(0, MOST), typed);
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
  const short = shortIds(rows);
  return rows.map((row, index) => {
    const name = short[index] ?? "";
    const value = name.length < typed.length ? sanitizeLine(row.ref) : name;
    const title = cutText(sanitizeLine(row.title.replace(/\s+/g, " ")), TITLE_WIDTH);
    return title === "" ? { value } : { value, description: title };
  });
}
