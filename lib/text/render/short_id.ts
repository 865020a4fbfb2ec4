/** Shortens ids to the prefix by which a person names a session. */
import { machineWord } from "../../core/store/ref.ts";
import { sanitizeLine } from "./sanitize.ts";

const LENGTH = 8;
const OWN_AGENT = "reprise";

interface NamedRow {
  agent: string;
  session_id: string;
  /** The session's reference. For a team's session, the id in `ref` is used, not `session_id`. */
  ref?: string;
  /** Name of the other machine that sent the session. */
  machine?: string;
}

interface NameParts {
  before: string;
  id: string;
  behind: string;
}

const SHARED = /^(team:(?:.*\/)?(?:[a-z]+:)?)([^:/]+)$/;

function nameParts({ agent, session_id, ref = "", machine }: NamedRow): NameParts {
  const [, before, id = ""] = SHARED.exec(ref) ?? [];
  if (before !== undefined) return { before, id, behind: "" };
  const branch = machine === undefined ? "" : `.${machineWord(machine)}`;
  const behind = session_id.endsWith(branch) ? branch : "";
  const end = session_id.length - behind.length;
  return { before: agent === OWN_AGENT ? "" : `${agent}:`, id: session_id.slice(0, end), behind };
}

/**
 * Shortens session ids to eight characters, or to as many as make them unique. The agent's name
 * precedes an id of any agent except Reprise. The machine's name stays after the id of a session
 * that two machines continued.
 */
export function shortIds(rows: readonly NamedRow[]): string[] {
  const parts = rows.map(nameParts);
  const shared = sharedPrefixes(parts.map(({ before, id }) => before + id));
  return parts.map(({ before, id, behind }) => {
    const name = before + id;
    const length = Math.max(before.length + LENGTH, (shared.get(name) ?? 0) + 1);
    return sanitizeLine(name.slice(0, length) + behind);
  });
}

/**
 * Returns for each name the length of the longest prefix that it shares with another name. After
 * sorting, only adjacent names are compared.
 */
function sharedPrefixes(names: readonly string[]): Map<string, number> {
  const sorted = [...new Set(names)].sort();
  const shared = new Map<string, number>();
  for (const [index, name] of sorted.entries()) {
    const next = sorted[index + 1];
    const length = next === undefined ? 0 : commonLength(name, next);
    shared.set(name, Math.max(shared.get(name) ?? 0, length));
    if (next !== undefined) shared.set(next, length);
  }
  return shared;
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}
