/** Lines for `record`, and what became of them. */
import { jsonLines } from "../_support/cli.ts";
import type { CliHome } from "../_support/cli_home.ts";

/** Returns a line of input. */
export function line(kind: string, payload: unknown, more: object = {}): string {
  return JSON.stringify({ kind, payload, ...more }) + "\n";
}

/** Returns a line with a message of the user. */
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

/** Reads the events of the store's only session. */
export async function recorded(home: CliHome): Promise<Logged[]> {
  const [row] = jsonLines((await home.run(["list", "--all", "--json"])).stdout);
  return jsonLines<Logged>((await home.run(["show", `${row?.ref}`, "--events"])).stdout);
}

export function kinds(events: readonly Logged[]): string[] {
  return events.map(({ kind }) => kind);
}
