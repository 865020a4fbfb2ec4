/** Lists sessions as a table, in pages or as JSON. */
import { present } from "../../lib/core/event/present.ts";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { SessionError } from "../../lib/core/event/session_error.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import {
  renderSessionTable,
  sessionTableLines,
  type SessionTableOptions,
  tableIds,
} from "../../lib/text/render/session_table.ts";
import { type Context, listTimeFormat, pathOf, timeFormat, wantsColor } from "../_context.ts";
import { printJsonLines, say } from "../_message.ts";
import { directOutput, pagedOutput } from "../_pager.ts";
import { findScoped, sayDays, tellScope } from "../_scope.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import type { FileTouches } from "../../lib/features/blame/mod.ts";
import type { Library } from "../../lib/library/library.ts";
import { rowsOf } from "../../lib/library/query/candidate.ts";
import { sortedEntries } from "../../lib/library/query/sorted_entries.ts";
import type { FoundSessions, QueryOptions, SessionEntry } from "../../lib/library/query/query.ts";
import { needsCounts, ORDER_VALUES } from "../../lib/core/store/session_order.ts";
import { asksWords, wordsIn } from "../../lib/core/store/session_words.ts";
import type { ListFlags } from "./list_flags.ts";
import { quoteWord } from "../../lib/core/platform/shell_word.ts";
import { homeFolder } from "../../lib/core/workspace/home_folder.ts";

const CONFIG_FILE = "config.json";
const HANDOVERS_FILE = "handovers.jsonl";
/**
 * Number of lines that are written at once. Single lines would be slow, and the whole table would
 * take too much memory.
 */
const LINES_AT_ONCE = 256;
/** Milliseconds to wait for message counts that are not cached. */
const FILL_MS = 200;

export async function listSessions(context: Context, flags: ListFlags): Promise<void> {
  if (flags.agents) {
    const { listAgents } = await import("./agents.ts");
    return await listAgents(context, flags.json ?? false);
  }
  const library = contextLibrary(context);
  const unread = new Set<string>();
  const in_pages = flags.maxChars !== undefined || flags.cursor !== undefined;
  const { agent, limit, file, commit, ...others } = flags;
  const { since, until, undated, archived, gone, reverse, failedCalls } = flags;
  const by_herdr = agent === "herdr";
  const sort = flags.sort ?? (reverse && "updated");
  const is_late = in_pages || by_herdr || (file ?? commit ?? sort ?? failedCalls) !== undefined;
  const onError = (error: SessionError): unknown => unread.add(error.message);
  const options = {
    ...{ until, undated, archived, gone, ...wordsIn(flags), ...cutOff(flags) },
    exact: flags.exact || needsCounts(sort),
    members: true,
    root: pathOf(context, flags.root),
    limit: is_late ? undefined : limit,
    // Few of all sessions change a file or a commit: their rows are read once these are known.
    rows: file === undefined && commit === undefined ? true : undefined,
    onError,
  };
  await sayDays(context, flags);
  const writers = commit === undefined
    ? undefined
    : await (await import("../blame/blame_revision.ts")).writersOf(context, commit);
  const { entries: scoped, directories } = await foundIn(
    context,
    library,
    by_herdr ? others : flags,
    options,
  );
  const wanted = scoped.filter(({ ref }) => writers?.has(ref) ?? true);
  const changes = file === undefined
    ? undefined
    : await (await import("../_touching.ts")).touching(context, wanted, file, onError);
  const is_named = file !== undefined && changes?.size === 0 && !flags.json && !in_pages;
  const touched = is_named
    ? await (await import("./naming_sessions.ts"))
      .withNamingCalls(context, library, wanted, file)
    : changes === undefined
    ? wanted
    : [...changes.keys()];
  const all = sort === undefined
    ? touched
    : await sortedEntries(touched, ORDER_VALUES[sort], reverse);
  const { entries, names } = by_herdr
    ? await (await import("./pointed_rows.ts")).pointedEntries(context, library, all, limit)
    : { entries: all.slice(0, in_pages ? undefined : limit), names: new Map<string, string>() };
  if (context.stdout.terminal && !flags.json && !in_pages) {
    // Those that changed a file have no rows yet.
    await rowsOf(entries);
    await library.fillCounts(entries, FILL_MS);
  }
  const rows = await withOrigins(library, await rowsWith(entries, changes), onError);
  for (const message of unread) await say(context, `reprise: ${message}`);
  // Where nothing could be read, there is no list.
  const failed = rows.length === 0 && unread.size > 0;
  const hints = rows.length > 0 || flags.tag === undefined
    ? []
    : await (await import("./tag_hint.ts")).tagHint(library, flags.tag);
  const empty = [unread.size > 0 ? NONE_READ : emptyState(flags, directories), ...hints].join("\n");
  if (in_pages) {
    const { printListPage } = await import("./list_page.ts");
    const ids = tableIds(rows);
    const table = (rows: readonly Summary[]): string =>
      renderSessionTable(rows, {
        ...tableOptions(context, directories === undefined, flags),
        ...{ color: false, width: Infinity, ids, format_time: timeFormat(context) },
      });
    if (await printListPage(context, flags, { rows, directories, table })) return;
    return await say(context, rows.length === 0 ? empty : "No more");
  }
  if (flags.json) await printJsonLines(context, rows);
  if (failed) {
    if (!flags.json) await say(context, empty);
    throw new CommandExit(STATUS.failed);
  }
  if (flags.json) return;
  if (rows.length === 0) await say(context, empty);
  else if (rows.some(({ agent }) => library.mayExpire(agent))) {
    const { expiryNotes, findExpiring, tellExpiry } = await import("./notes.ts");
    const expiring = await findExpiring(context, library, rows, directories?.[0]);
    const notes = new Map([...names, ...expiryNotes(context, expiring)]);
    await printTable(context, rows, tableOptions(context, directories === undefined, flags), notes);
    await tellExpiry(context, library, expiring, directories?.[0]);
  } else {
    await printTable(context, rows, tableOptions(context, directories === undefined, flags), names);
  }
  const is_chosen = asksWords(flags) || (sort ?? since ?? until ?? file ?? commit) !== undefined;
  if (rows.length > 0 && is_chosen) {
    await tellScope(context, { directories }, flags, "listed");
  }
  // Without settings there is no limit.
  if (existsSync(join(library.root, CONFIG_FILE))) {
    const { limitNote } = await import("./notes.ts");
    const note = await limitNote(context);
    if (note !== undefined) await say(context, note);
  }
}

const DAY_MS = 86_400_000;

/**
 * Returns the period and the status for a query. With `--interrupted --since boot`, the period
 * starts a day before the restart, because the restart interrupted the sessions.
 */
export function cutOff(
  { since, interrupted }: Pick<ListFlags, "since" | "interrupted">,
): Pick<QueryOptions, "since" | "status"> {
  if (!interrupted) return { since };
  const is_boot = since?.written === "boot";
  return {
    since: since && new Date(since.getTime() - (is_boot ? DAY_MS : 0)),
    status: "interrupted",
  };
}

/**
 * Finds the sessions of a scope. If no session ends in an error, `--failed` finds sessions with
 * failed commands instead.
 */
async function foundIn(
  context: Context,
  library: Library,
  flags: ListFlags,
  { onError = () => {}, ...options }: QueryOptions,
): Promise<FoundSessions> {
  const found = await findScoped(context, library, flags, { ...options, onError });
  const is_none = flags.failed === true && found.entries.length === 0;
  if (!is_none && !flags.failedCalls) {
    if (flags.failed && !flags.json) {
      await say(context, "Sessions with failed commands: reprise list --failed-calls");
    }
    return found;
  }
  const { withFailedCalls } = await import("./failed_sessions.ts");
  const all = is_none
    ? await findScoped(context, library, flags, { ...options, failed: false, limit: undefined })
    : found;
  const entries = await withFailedCalls(context, library, all.entries, onError);
  if (is_none && entries.length > 0) {
    await say(context, "No session ends with an error. Sessions with failed commands:");
  }
  return { ...all, entries: entries.slice(0, options.limit) };
}

async function rowsWith(
  entries: readonly SessionEntry[],
  changes: ReadonlyMap<SessionEntry, FileTouches> | undefined,
): Promise<Summary[]> {
  const rows = await rowsOf(entries);
  if (changes === undefined) return rows;
  return rows.map((row, index) => {
    const entry = entries[index];
    return present({ ...row, changed: entry && changes.get(entry) });
  });
}

async function withOrigins(
  library: Library,
  rows: Summary[],
  onError: (error: SessionError) => void,
): Promise<Summary[]> {
  // Most people have handed nothing over, and wait for no code.
  if (!existsSync(join(library.root, HANDOVERS_FILE))) return rows;
  const { withHandedFrom } = await import("../../lib/features/handover/handed_from.ts");
  return withHandedFrom(library.root, rows, onError);
}

async function printTable(
  context: Context,
  rows: readonly Summary[],
  options: SessionTableOptions,
  notes: ReadonlyMap<string, string>,
): Promise<void> {
  const { stdout } = context;
  // A line for the columns' names, one for the prompt that follows.
  const output = rows.length + 2 > stdout.height ? pagedOutput(context) : directOutput(stdout);
  let lines: string[] = [];
  const print = (): void => output.write(lines.map((line) => line + "\n").join(""));
  for (const line of sessionTableLines(rows, { ...options, notes })) {
    lines.push(line);
    if (lines.length < LINES_AT_ONCE) continue;
    print();
    lines = [];
  }
  print();
  await output.close();
}

function tableOptions(
  context: Context,
  with_directory: boolean,
  { columns, sort, failed }: ListFlags,
): SessionTableOptions {
  const { stdout } = context;
  const home = homeFolder(context.variable);
  return present({
    width: stdout.terminal ? stdout.width : Infinity,
    color: wantsColor(context, stdout),
    with_directory,
    columns,
    staying: [...sort ? [sort] : [], ...failed ? ["error"] : []],
    format_time: listTimeFormat(context),
    home,
  });
}

const NONE_READ = "No session could be read. To see why: reprise doctor";

const RECORD_ADVICE =
  "To make a session: reprise chat, or pipe events into reprise record (see: reprise " +
  "record --help)";

/** Advises to search for a file's name, because shell commands record no file changes. */
function fileAdvice(file: string): string {
  return "To find commands and messages that name this file: reprise search " +
    `${quoteWord(basename(file))}`;
}

function emptyState(flags: ListFlags, directories: readonly string[] | undefined): string {
  const { agent, since, until, archived, failedCalls, file, commit } = flags;
  const place = directories === undefined ? "" : ` of ${directories[0]}`;
  const elsewhere = directories === undefined ? [] : ["Search all projects: add --all"];
  const is_late = (since ?? until ?? file ?? commit ?? failedCalls) !== undefined;
  const named = file === undefined ? [] : [fileAdvice(file)];
  if (is_late || archived || flags.interrupted || asksWords(flags)) {
    const none = `No session${place} matches all of these flags`;
    return [none, ...elsewhere, ...named].join("\n");
  }
  if (flags.gone) {
    const none = `No prompts of deleted sessions${place} were found`;
    return [none, ...elsewhere].join("\n");
  }
  if (agent !== undefined && agent !== "all" && agent !== "reprise") {
    const none = agent === "herdr"
      ? `No pane of herdr (a terminal multiplexer) shows a session${place}`
      : `No sessions${place} by ${agent}`;
    return [none, ...elsewhere].join("\n");
  }
  return [`No sessions${place} yet`, ...elsewhere, RECORD_ADVICE].join("\n");
}
