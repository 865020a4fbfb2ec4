/** `reprise secrets` */
import type { RedactionFinding } from "../lib/text/redaction/redactor.ts";
import type { SecretCounts } from "../lib/text/redaction/secret_counts.ts";
import { defineCommand } from "./_command.ts";
import { present } from "../lib/core/event/present.ts";
import { counted } from "../lib/core/event/counted.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { say } from "./_message.ts";
import { pagedOutput } from "./_pager.ts";
import { IDENTITY_FLAG, SCOPE_FLAGS } from "./_scope_flags.ts";
import { parseSince, TIMES } from "./_values.ts";
import type { Context } from "./_context.ts";
import { homeFolder } from "../lib/core/workspace/home_folder.ts";
import { withProgress } from "../lib/frontends/ui/progress.ts";
import type { AgentThreadsOptions, ThreadEvents } from "../lib/agents/contract/agent.ts";
import { MAIN_THREAD } from "../lib/core/projection/session_thread.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { openWhole } from "./_session.ts";

export const secretsCommand = defineCommand({
  description: "Find keys, tokens and passwords in a session: the secrets that `reprise export` " +
    "replaces. For each secret, show the kind, the place and the placeholder, but never the " +
    "secret itself. Secrets in unknown formats are not detected, and images are not " +
    "searched. The exit status is 1 if a secret was found. Without REF, count the secrets of many " +
    "sessions, subagents included. With --scrub, replace the secrets in the session's files, in kept " +
    "copies and in prompt histories; without --write, only show what would be replaced.",
  arguments: [["[ref]", "the session's id, or the path of its log"]],
  flags: {
    ...SCOPE_FLAGS,
    // All sessions that are searched may be those of one project.
    "--project <project>": { ...SCOPE_FLAGS["--project <project>"], conflicts: ["here", "cwd"] },
    "--since <time>": {
      help: `only sessions updated since this time: ${TIMES}`,
      parse: parseSince,
    },
    "--scrub":
      "show which files of the session have secrets, and which of them a scrub does not change",
    "--write": "with --scrub: replace the secrets",
    "--undo": "with --scrub: restore the original",
    "--no-original": "with --write: do not keep an encrypted copy of the original",
    ...IDENTITY_FLAG,
    "--json": "print one line of JSON for each secret found, or for each session without REF",
  },
  examples: [
    "reprise secrets 3f2a",
    "reprise secrets claude:5b1e --json | jq -r .kind | sort | uniq -c",
    "reprise secrets --all --since 30d",
    "reprise secrets claude:5b1e --scrub",
    "reprise secrets claude:5b1e --scrub --write",
  ],
  run: async (context, ref, flags) => {
    const { json, scrub, write, undo, original, identity, ...scope } = flags;
    const is_scoped = Object.values(scope).some((value) => value !== undefined);
    if (!scrub && (write || undo || original === false || identity !== undefined)) {
      throw new UsageError("--write, --undo, --no-original and --identity need --scrub");
    }
    if (undo && (write || original === false)) {
      throw new UsageError("--undo restores the original. Leave out --write and --no-original");
    }
    if (scrub && ref !== undefined && !is_scoped) {
      const module = await import("./secrets/scrub.ts");
      return await module.scrub(context, ref, present({ write, undo, original, identity, json }));
    }
    if (scrub) {
      throw new UsageError("--scrub takes one session, as in reprise secrets 3f2a --scrub");
    }
    if (ref === undefined && is_scoped) {
      const { countSecrets } = await import("./secrets/count_secrets.ts");
      const { all: _all, ...others } = flags;
      return await countSecrets(context, others.project === undefined ? flags : others);
    }
    if (ref === undefined || is_scoped) {
      throw new UsageError(
        "Give one session, as in reprise secrets 3f2a. To count the secrets of all sessions: " +
          "reprise secrets --all",
      );
    }
    await showSecrets(context, ref, json);
  },
});

async function showSecrets(context: Context, ref: string, json: true | undefined): Promise<void> {
  const source = await openWhole(context, ref);
  const [
    { Redactor },
    { SecretCounts },
    { toJsonLine },
    { sanitizeLine },
    { directoryText },
  ] = await Promise.all([
    import("../lib/text/redaction/redactor.ts"),
    import("../lib/text/redaction/secret_counts.ts"),
    import("../lib/text/render/json_lines.ts"),
    import("../lib/text/render/sanitize.ts"),
    import("../lib/text/render/path_text.ts"),
  ]);
  const output = pagedOutput(context);
  const diagnostics = countDiagnostics();
  let thread = source.thread ?? MAIN_THREAD;
  const counts = new SecretCounts();
  let file: string | undefined;
  const home = homeFolder(context.variable);
  const shown = (path: string): string => directoryText(path, home);
  const redactor = new Redactor({
    report: (finding) => {
      if (file !== undefined && counts.has(finding)) return;
      counts.add(finding);
      if (file !== undefined) {
        const { kind, length, placeholder } = finding;
        const found = { kind, path: file, length, placeholder };
        const said = `${shown(file)}: ${kind}, ${length} characters: ${placeholder}`;
        return void output.write(json ? toJsonLine(found) : `${sanitizeLine(said)}\n`);
      }
      const ref = thread === MAIN_THREAD || source.thread ? source.ref : `${source.ref}~${thread}`;
      const named = thread === MAIN_THREAD ? finding : { ...finding, thread };
      output.write(json ? toJsonLine(named) : `${sanitizeLine(describe(ref, finding))}\n`);
    },
  });
  try {
    // A secret that its name reveals once is found everywhere, so all events are read first.
    await withProgress(context, "Searching", async (show) => {
      for await (const { events } of threadsOf(source, {}, show)) {
        for (const event of events) redactor.observe(event);
      }
    });
    const { report } = diagnostics;
    for await (const part of threadsOf(source, { report })) {
      thread = part.thread;
      for (const event of part.events) {
        redactor.event(event);
        await output.ready();
      }
    }
    if (source.thread === undefined) {
      const { findInFiles } = await import("../lib/features/repair/scrub/secrets_in_files.ts");
      await findInFiles(source, redactor, (path) => file = path);
    }
  } finally {
    await output.close();
  }
  await diagnostics.tell(context, source.ref);
  await say(context, sanitizeLine(await countsText(counts)));
  if (counts.secrets > 0) throw new CommandExit(STATUS.failed);
}

async function* threadsOf(
  source: SessionHandle,
  options: Pick<AgentThreadsOptions, "report">,
  onProgress?: (done: number, all: number) => void,
): AsyncGenerator<ThreadEvents> {
  const all = { ...options, all_branches: true };
  const named = source.events(present({ ...all, onProgress }));
  if (source.thread === undefined) return yield* source.allEvents({ ...all, main: named });
  for await (const events of named) yield { thread: source.thread, events };
}

function describe(
  ref: string,
  { kind, seq, field, placeholder, length }: RedactionFinding,
): string {
  const place = seq === undefined ? ref : `${ref}#${seq}`;
  return `${place} ${field}: ${kind}, ${length} characters: ${placeholder}`;
}

async function countsText({ secrets, places, kinds }: SecretCounts): Promise<string> {
  if (secrets === 0) return "No secrets were found";
  const { kindList } = await import("./secrets/count_secrets.ts");
  return `Found ${counted(secrets, "secret")} in ${counted(places, "place")}: ${kindList(kinds)}`;
}
