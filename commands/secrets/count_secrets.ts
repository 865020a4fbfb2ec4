/** Counts the secrets of many sessions: by kind, agent and session. No part of a secret is printed. */
import { counted } from "../../lib/core/event/counted.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import type { SessionEntry } from "../../lib/library/query/query.ts";
import { type Context, wantsColor } from "../_context.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { printJsonLines, say } from "../_message.ts";
import { printPaged } from "../_pager.ts";
import { findScoped, tellScope } from "../_scope.ts";
import type { ScopeFlags } from "../_scope_flags.ts";

interface SessionSecrets {
  ref: string;
  agent: string;
  /** Number of different secrets. */
  secrets: number;
  kinds: Record<string, number>;
  places: number;
}

/**
 * Prints the number of secrets in the sessions that the flags select.
 *
 * @throws {CommandExit} with status 1 if a secret was found, or if a session cannot be read
 */
export async function countSecrets(
  context: Context,
  flags: ScopeFlags & { since?: Date; json?: true },
): Promise<void> {
  const library = contextLibrary(context);
  const { since } = flags;
  const unread: SessionError[] = [];
  const onError = (error: SessionError): unknown => unread.push(error);
  const options = { archived: "any", onError, ...(since === undefined ? {} : { since }) } as const;
  const found = await findScoped(context, library, flags, options);
  // Where nothing could be read, nothing was searched.
  for (const { message } of unread) await say(context, `reprise: ${message}`);
  let failed = unread.length > 0;
  const rows: SessionSecrets[] = [];
  const { startProgress } = await import("../../lib/frontends/ui/progress.ts");
  const progress = await startProgress(context, "Searching", (count) => `${count} sessions`);
  try {
    for (const [index, entry] of found.entries.entries()) {
      progress.show(index, found.entries.length);
      try {
        const row = await secretsOf(entry);
        if (row.secrets > 0) rows.push(row);
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        failed = true;
        progress.end();
        await say(context, `reprise: ${error.message}`);
      }
    }
  } finally {
    progress.end();
  }
  rows.sort((one, other) => other.secrets - one.secrets || (one.ref < other.ref ? -1 : 1));
  if (flags.json) await printJsonLines(context, rows);
  else if (rows.length > 0) await printTables(context, rows);
  if (failed) await say(context, "Some sessions could not be read: see the messages above");
  const total = rows.reduce((sum, { secrets }) => sum + secrets, 0);
  const searched = counted(found.entries.length, "session");
  await say(
    context,
    total === 0
      ? `No secrets were found in ${searched}`
      : `Found ${counted(total, "secret")} in ${rows.length} of ${searched}`,
  );
  await tellScope(context, found, flags, "searched");
  if (total > 0 || failed) throw new CommandExit(STATUS.failed);
}

async function secretsOf(entry: SessionEntry): Promise<SessionSecrets> {
  const [{ Redactor }, { SecretCounts }] = await Promise.all([
    import("../../lib/text/redaction/redactor.ts"),
    import("../../lib/text/redaction/secret_counts.ts"),
  ]);
  const session: SessionHandle = await entry.open();
  const counts = new SecretCounts();
  let is_file = false;
  const redactor = new Redactor({
    report: (finding) => {
      if (!is_file || !counts.has(finding)) counts.add(finding);
    },
  });
  // A secret that its name reveals once is found everywhere, so all events are read first.
  for (const pass of ["observe", "event"] as const) {
    for await (const { events } of session.allEvents({ all_branches: true })) {
      for (const event of events) redactor[pass](event);
    }
  }
  const { findInFiles } = await import("../../lib/features/repair/scrub/secrets_in_files.ts");
  await findInFiles(session, redactor, () => is_file = true);
  const { secrets, kinds, places } = counts;
  return { ref: session.short_ref, agent: session.agent, secrets, kinds, places };
}

async function printTables(context: Context, rows: readonly SessionSecrets[]): Promise<void> {
  const [{ sanitizeLine }, { shortIds }, { createStyle }, { renderTable }] = await Promise.all([
    import("../../lib/text/render/sanitize.ts"),
    import("../../lib/text/render/short_id.ts"),
    import("../../lib/text/render/style.ts"),
    import("../../lib/text/render/table.ts"),
  ]);
  const { stdout } = context;
  const style = createStyle(wantsColor(context, stdout));
  const width = stdout.terminal ? stdout.width : Infinity;
  const table = (name: string, lines: readonly (readonly string[])[], last: string): string[] =>
    renderTable([
      { name, cells: lines.map(([cell = ""]) => sanitizeLine(cell)) },
      { name: "secrets", cells: lines.map(([, cell = ""]) => cell), align: "right" },
      { name: last, cells: lines.map(([, , cell = ""]) => sanitizeLine(cell)) },
    ], { width, style });
  const ids = shortIds(
    rows.map(({ agent, ref }) => ({ agent, session_id: ref.slice(ref.indexOf(":") + 1), ref })),
  );
  const text = [
    ...table("kind", sums(rows, ({ kinds }) => Object.entries(kinds)), "sessions"),
    "",
    ...table("agent", sums(rows, ({ agent, secrets }) => [[agent, secrets]]), "sessions"),
    "",
    ...table(
      "session",
      rows.map(({ secrets, kinds }, row) => [ids[row] ?? "", `${secrets}`, kindList(kinds)]),
      "kinds",
    ),
  ];
  await printPaged(context, text.map((line) => `${line}\n`).join(""));
}

/** Returns rows of a name, its number of secrets and of sessions. Most secrets come first. */
function sums(
  rows: readonly SessionSecrets[],
  countsOf: (row: SessionSecrets) => (readonly [name: string, count: number])[],
): string[][] {
  const found = new Map<string, { secrets: number; sessions: number }>();
  for (const [name, count] of rows.flatMap(countsOf)) {
    const { secrets, sessions } = found.get(name) ?? { secrets: 0, sessions: 0 };
    found.set(name, { secrets: secrets + count, sessions: sessions + 1 });
  }
  return [...found].sort(([, one], [, other]) => other.secrets - one.secrets)
    .map(([name, { secrets, sessions }]) => [name, `${secrets}`, `${sessions}`]);
}

/** Lists kinds with their counts: `2 github-token, 1 password`. */
export function kindList(kinds: Readonly<Record<string, number>>): string {
  return Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`).join(", ");
}
