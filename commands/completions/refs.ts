/**
 * References that begin as what is typed, with the titles of their sessions.
 */
import { AGENT_NAMES, type AgentName, isAgentName } from "../../lib/event/agent_name.ts";
import type { Summary } from "../../lib/projection/summary_row.ts";
import { selectSummaries } from "../../lib/session/list_sessions.ts";
import { sessionFolders } from "../../lib/session/session_folder.ts";
import { realDirectory } from "../../lib/workspace/real_directory.ts";
import type { Candidate } from "./wanted.ts";
import type { Context } from "../_context.ts";
import { contextStore } from "../_store.ts";

/** More than that nobody reads. */
const MOST = 50;
const TITLE_WIDTH = 60;

/** References to sessions: of this directory, or where none of them fits, of all. */
export async function refCandidates(context: Context, typed: string): Promise<Candidate[]> {
  const [name = "", prefix] = typed.split(":", 2);
  if (prefix !== undefined) {
    return isAgentName(name) ? await foreignCandidates(context, name, prefix) : [];
  }
  const own = await describe(await ownRows(context, typed.toLowerCase()), typed);
  const agents = AGENT_NAMES.filter((agent) => agent.startsWith(typed));
  // All of them, at every Tab, would hide the sessions.
  if (typed === "" && own.length > 0) return own;
  return [...own, ...agents.map((agent) => ({ value: `${agent}:`, description: "its sessions" }))];
}

async function ownRows(context: Context, prefix: string): Promise<Summary[]> {
  const store = contextStore(context);
  const here = (await store.list({ cwd: context.cwd }))
    .filter(({ session_id }) => session_id.startsWith(prefix));
  if (here.length > 0) return here.slice(0, MOST);
  const folders = sessionFolders(store.root)
    .filter(({ session_id }) => session_id.startsWith(prefix))
    .sort((one, other) => one.created_at < other.created_at ? 1 : -1)
    .slice(0, MOST);
  const rows = await Promise.all(folders.map((folder) => store.summarize(folder)));
  return selectSummaries(rows, {});
}

async function foreignCandidates(
  context: Context,
  name: AgentName,
  prefix: string,
): Promise<Candidate[]> {
  const { listForeign } = await import("../_foreign.ts");
  const { root } = contextStore(context);
  for (const scope of [{ cwd: realDirectory(context.cwd) }, {}]) {
    const rows = selectSummaries(await listForeign(context, name, root, scope), scope)
      .filter(({ session_id }) => session_id.startsWith(prefix));
    if (rows.length > 0) return await describe(rows.slice(0, MOST), `${name}:${prefix}`);
  }
  return [];
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
