/** The table of damages: what clients do with a broken session, and with a repaired one. */
import { markdownTable } from "../../_support/markdown_table.ts";
import type { Item } from "../resume/request_items.ts";
import { REPAIRED } from "./session_items.ts";

/** What a client sent of a session, in two resumes; or the reason why nothing. */
export interface Sent {
  first: readonly Item[] | string;
  second: readonly Item[] | string;
}

/** One damage in one client. */
export interface DamageCell {
  before: Sent;
  after: Sent;
  /** Items that a repair can leave. */
  left: number;
  /** The repair changes nothing. */
  untouched: boolean;
}

const TITLES: Readonly<Record<string, string>> = {
  pi: "pi",
  codex: "Codex",
  claude: "Claude Code",
  gemini: "Gemini CLI",
  qwen: "Qwen Code",
};

/** The table. */
export class DamageTable {
  readonly #rows = new Map<string, Map<string, DamageCell>>();

  /** Adds what came of one damage. */
  add(damage: string, agent: string, cell: DamageCell): void {
    const row = this.#rows.get(damage) ?? new Map();
    this.#rows.set(damage, row.set(agent, cell));
  }

  /** Says one cell in a line. */
  told(damage: string, agent: string): string {
    const cell = this.#rows.get(damage)?.get(agent);
    return `${agent}, ${damage}: ${cell === undefined ? "nothing" : cellText(cell)}`;
  }

  /** Returns the table in Markdown, as `deno fmt` leaves it. */
  text(): string {
    const head = ["damage", ...REPAIRED.map((agent) => TITLES[agent] ?? agent)];
    const rows = [...this.#rows].map(([name, cells]) => [
      name,
      ...REPAIRED.map((agent) => {
        const cell = cells.get(agent);
        return cell === undefined ? "" : cellText(cell);
      }),
    ]);
    return markdownTable([head, ...rows]);
  }
}

function cellText({ before, after, untouched }: DamageCell): string {
  const broken = sentText(before);
  return untouched ? broken : `${broken} → ${sentText(after)}`;
}

/** How much is sent, of that results that no call has; and what the second resume still sends. */
function sentText({ first, second }: Sent): string {
  if (typeof first === "string") return "refused";
  const orphans =
    first.filter(({ kind, text }) => kind === "result" && text.startsWith("?")).length;
  const hollow = first.filter(({ kind }) => kind === "reasoning").length;
  const count = String(first.length - hollow) +
    (orphans === 0 ? "" : ` (${orphans} without calls)`) +
    (hollow === 0 ? "" : ` and ${hollow} empty`);
  if (typeof second === "string") return `${count}, then refused`;
  // The prompt and the answer between.
  const kept = Math.max(0, second.length - 2);
  return kept === first.length ? count : `${count}, then ${kept}`;
}
