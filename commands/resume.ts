/** `reprise resume` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { SessionError } from "../lib/event/session_error.ts";
import type { SessionHandle } from "../lib/library/session_handle.ts";
import type { Report } from "../lib/log/diagnostic.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import { gitBranch } from "../lib/workspace/git_branch.ts";
import type { Context } from "./_context.ts";
import { counted } from "./_counted.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import { listScoped } from "./_scope.ts";
import { contextLibrary } from "./_library.ts";
import { PrintedList } from "./_printed_list.ts";
import { openWhole } from "./_session.ts";
import { contextStore } from "./_store.ts";
import { itemRenderer } from "./_transcript.ts";
import { readEnd } from "./resume/end.ts";

/** Shows where a session stopped and how to continue it. */
export function resumeCommand(context: Context): Command {
  return new Command("resume")
    .summary("show where a session stopped and how to continue it")
    .description(
      "Show the end of a session, its facts, and how to continue it. Without REF, choose one; " +
        "without a terminal or with --json, it is this project's latest.",
    )
    .argument("[ref]", "which session, or the path of a log")
    .option("--json", "one object {summary, conversation}")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise resume\n  reprise resume 3f2a --json | jq .conversation",
    )
    .action((ref, { json }) => resume(context, ref, json ?? false)) as unknown as Command;
}

/** The session to take where none is named: the one that is chosen, or for a program the latest. */
async function unnamedRef(context: Context, json: boolean): Promise<string> {
  if (json || !context.stdin_terminal || !context.stdout.terminal) return await latestRef(context);
  const { pickRef } = await import("./_picker.ts");
  return await pickRef(context, "resume");
}

async function latestRef(context: Context): Promise<string> {
  const { entries: [last] } = await listScoped(context, contextLibrary(context), {}, {
    limit: 1,
  });
  if (last !== undefined) return last.row.ref;
  const message = `Cannot find a session of ${context.cwd}; see: reprise list --all`;
  throw new SessionError("not-found", message);
}

async function resume(context: Context, given: string | undefined, json: boolean): Promise<void> {
  const ref = given ?? await unnamedRef(context, json);
  const source = await openWhole(context, ref);
  const diagnostics = countDiagnostics();
  if (json) await printJson(context, source, diagnostics.report);
  else await print(context, source, diagnostics.report);
  await diagnostics.tell(context, source.ref);
}

/** Prints one line, message by message: a long conversation does not fit into one string. */
async function printJson(context: Context, source: SessionHandle, report: Report): Promise<void> {
  const { toJsonText } = await import("../lib/render/json_lines.ts");
  const list = new PrintedList(context, toJsonText, { first: "", between: ",", last: "" });
  list.begin(`{"summary":${toJsonText(await source.summary())},"conversation":[`);
  for await (const batch of source.messages({ report })) {
    for (const message of batch) list.add(message);
  }
  list.end("]}");
}

async function print(context: Context, source: SessionHandle, report: Report): Promise<void> {
  const row = await source.summary();
  const { items, branch, used } = await readEnd(source, row, report);
  const render = await itemRenderer(context, context.stdout);
  for (const item of items) context.stdout.write(render(item));
  const { sanitizeLine } = await import("../lib/render/sanitize.ts");
  for (const line of [...facts(row, branch, used), ...advice(context, row, source)]) {
    context.stdout.write(`${sanitizeLine(line)}\n`);
  }
}

function facts(row: Summary, branch: string | undefined, used: string | undefined): string[] {
  const now = row.cwd === undefined ? undefined : gitBranch(row.cwd);
  const { message_count: count } = row;
  const messages = count === undefined ? "" : `, ${counted(count, "message")}`;
  return [
    `Session   ${row.session_id}`,
    ...(row.title === "" ? [] : [`Title     ${row.title}`]),
    ...(row.cwd === undefined ? [] : [`Directory ${row.cwd}`]),
    ...(branch === undefined ? [] : [`Branch    ${branch}`]),
    `Status    ${row.status}${messages}`,
    ...(used === undefined ? [] : [`Tokens    ${used}`]),
    ...(branch !== undefined && now !== undefined && branch !== now
      ? [`The work tree is on branch ${now} now; the session was on ${branch}`]
      : []),
    ...(row.status === "active" ? ["Another process writes this session now"] : []),
  ];
}

/** Command lines to copy. */
function advice(context: Context, { ref, status }: Summary, session: SessionHandle): string[] {
  const { id, log, writable } = session;
  const name = quoted(writable ? unambiguous(context, id) : log ?? ref);
  const command = session.resumeCommand()?.map(quoted).join(" ");
  return [
    "",
    "Continue:",
    ...(!writable
      ? [`  reprise chat --resume ${name}    # chat here, in a copy`]
      : status === "active"
      ? [`  reprise fork ${name}    # continue in a copy`]
      : [
        `  reprise chat --resume ${name}    # chat`,
        `  reprise record --resume ${name}    # append an agent's events to it`,
      ]),
    ...(log !== undefined || command === undefined ? [] : [`  ${command}`]),
    `  reprise conversation ${name} --format anthropic    # or openai, ai-sdk`,
  ];
}

/** The beginning of an id, or all of it where another one begins like it. */
function unambiguous(context: Context, id: string): string {
  try {
    const short = id.slice(0, 8);
    contextStore(context).find(short);
    return short;
  } catch (error) {
    if (error instanceof SessionError) return id;
    throw error;
  }
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
