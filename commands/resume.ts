/** `reprise resume` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { LogEvent } from "../lib/event/envelope.ts";
import type { EventKind } from "../lib/event/payload.ts";
import { SessionError } from "../lib/event/session_error.ts";
import type { SessionHandle } from "../lib/library/session_handle.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import { transcript } from "../lib/projection/transcript.ts";
import type { TranscriptItem } from "../lib/projection/transcript_item.ts";
import { gitBranch } from "../lib/workspace/git_branch.ts";
import type { Context } from "./_context.ts";
import { counted } from "./_counted.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import { listScoped } from "./_scope.ts";
import { contextLibrary } from "./_library.ts";
import { openWhole } from "./_session.ts";
import { contextStore } from "./_store.ts";
import { itemRenderer, LastItems } from "./_transcript.ts";

/** Items of the transcript that are shown. */
const TAIL_ITEMS = 8;

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
  if (json) {
    const { toJsonLine } = await import("../lib/render/json_lines.ts");
    const { toMessages } = await import("../lib/projection/message_shape.ts");
    const { messages } = await source.conversation({ report: diagnostics.report });
    const conversation = toMessages(messages, "plain");
    context.stdout.write(toJsonLine({ summary: await source.summary(), conversation }));
  } else {
    await print(context, source, diagnostics.report);
  }
  await diagnostics.tell(context, source.ref);
}

interface Tail {
  items: TranscriptItem[];
  /** The branch that the work tree was on, as far as the session says. */
  branch?: string;
}

async function readTail(
  source: SessionHandle,
  report: ReturnType<typeof countDiagnostics>["report"],
): Promise<Tail> {
  const projection = transcript();
  const last = new LastItems<TranscriptItem>(TAIL_ITEMS);
  let state = projection.initial();
  let branch: string | undefined;
  const needs = new Set<EventKind>([...projection.needs, "workspace_snapshot"]);
  for await (const events of source.events({ needs, report })) {
    for (const event of events) {
      branch = branchOf(event) ?? branch;
      state = projection.apply(state, event);
    }
    for (const item of projection.take(state)) last.push(item);
  }
  for (const item of projection.result(state)) last.push(item);
  return branch === undefined ? { items: last.items } : { items: last.items, branch };
}

function branchOf(event: LogEvent): string | undefined {
  if (event.form !== "known") return undefined;
  if (event.kind === "session_started") return event.payload.git?.branch;
  return event.kind === "workspace_snapshot" ? event.payload.git_branch : undefined;
}

async function print(
  context: Context,
  source: SessionHandle,
  report: ReturnType<typeof countDiagnostics>["report"],
): Promise<void> {
  const { items, branch } = await readTail(source, report);
  const render = await itemRenderer(context, context.stdout);
  for (const item of items) context.stdout.write(render(item));
  const row = await source.summary();
  const { sanitizeLine } = await import("../lib/render/sanitize.ts");
  const { usageText } = await import("./_usage.ts");
  const used = await usageText(source);
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
