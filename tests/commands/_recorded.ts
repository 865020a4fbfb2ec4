/** Lines for `record`, and what became of them. */
import { jsonLines } from "../_support/cli.ts";
import type { CliHome } from "../_support/cli_home.ts";

/** A line of input. */
export function line(kind: string, payload: unknown, more: object = {}): string {
  return JSON.stringify({ kind, payload, ...more }) + "\n";
}

/** A line in which the user says something. */
export function said(content: string): string {
  return line("user_message", { content });
}

/** An event as `show --events` gives it. */
export interface Logged {
  seq: number;
  kind: string;
  time: string;
  turn_id?: string;
  payload: Record<string, unknown>;
}

/** The events of the one session in the store. */
export async function recorded(home: CliHome): Promise<Logged[]> {
  const [row] = jsonLines((await home.run(["list", "--all", "--json"])).stdout);
  return jsonLines<Logged>((await home.run(["show", `${row?.ref}`, "--events"])).stdout);
}

/** The kinds of events. */
export function kinds(events: readonly Logged[]): string[] {
  return events.map(({ kind }) => kind);
}
