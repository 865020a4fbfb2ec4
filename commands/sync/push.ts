/** `reprise sync push` and `reprise sync pull`. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import type { TeamStore } from "../../lib/features/team/team_store.ts";
import { defineCommand } from "../_command.ts";
import type { Context } from "../_context.ts";
import { IDENTITY_FLAG, type IdentityFlags } from "../_scope_flags.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { contextLibrary } from "../_library.ts";
import { printJson, say } from "../_message.ts";
import { isConfirmed } from "../_question.ts";
import { goneLines, newTreeLines } from "./added_project.ts";
import { knownIdentities, neededSettings, withTeamStore } from "./connection.ts";
import { checkLines, pullLines, pushLines, termsText } from "./report_text.ts";
import { pullOnce, pushOnce, type TransferOptions } from "./transfer.ts";

interface TransferFlags extends IdentityFlags {
  all?: true;
  json?: true;
  replace?: true;
  rekey?: true;
  yes?: true;
}

export const pushCommand = defineCommand({
  summary: "send new sessions of the projects added with `sync add`",
  description: "Send the new sessions and events of the projects added with `sync add`.",
  flags: {
    ...IDENTITY_FLAG,
    "--replace":
      "if sessions were shared with earlier settings, delete them from the store, and share them " +
      "again with the current settings",
    "--yes": "with --replace: do not ask for confirmation",
    "--rekey": "encrypt all sessions again with new keys, after `sync remove MACHINE`",
    "--json": "print the report as one JSON object",
  },
  examples: [
    "reprise sync push",
    "reprise sync push --replace",
    "reprise sync push --json | jq .sent_bytes",
  ],
  run: async (context, flags) => {
    const settings = await neededSettings(context, "push");
    if (settings.projects.length === 0) throw nothingAdded("push");
    const report = await transfer(context, settings, flags, async (store, options) => {
      const replace = flags.replace && await mayReplace(context, store, settings, flags);
      return await pushOnce(context, store, settings, {
        ...{ ...options, replace: replace ?? false, rekey: flags.rekey ?? false },
      });
    });
    const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
    const { projects } = settings;
    const lines = [
      ...pushLines(report, formatBytes),
      ...goneLines(projects),
      ...newTreeLines(projects),
    ];
    await tell(context, flags, report, lines);
    const is_lost = (report.check?.lost.length ?? 0) > 0;
    if (report.failed.length > 0 || report.marks_refused || is_lost) {
      throw new CommandExit(STATUS.failed);
    }
  },
});

export const pullCommand = defineCommand({
  summary: "fetch sessions that other machines and members sent",
  description: "Fetch new sessions and events of the projects added with `sync add`. Sessions " +
    "that you sent in full from your other machines (with --exact or --sealed) are added to " +
    "this machine's sessions. To read any other session: reprise show team:OWNER/ID.",
  flags: {
    "-a, --all": "fetch every project that you may read",
    ...IDENTITY_FLAG,
    "--json": "print the report as one JSON object",
  },
  examples: ["reprise sync pull", "reprise sync pull --all"],
  run: async (context, flags) => {
    const settings = await neededSettings(context, "pull");
    if (settings.projects.length === 0 && !flags.all) throw nothingAdded("pull");
    const report = await transfer(
      context,
      settings,
      flags,
      async (store, { identities, ...options }) =>
        await pullOnce(context, store, settings, {
          ...{ ...options, identities: await identities(), all: flags.all ?? false },
        }),
    );
    const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
    await tell(context, flags, report, pullLines(report, formatBytes));
    if (report.failed.length > 0) throw new CommandExit(STATUS.failed);
  },
});

export const checkCommand = defineCommand({
  summary: "compare the store with what this machine sent, and send lost parts again",
  description:
    "Read what this machine sent, and compare it. Parts that the store lost, or that changed there, " +
    "are sent again from the sessions of this machine. The first `sync push` of each day looks " +
    "for lost parts, without reading the others.",
  flags: { ...IDENTITY_FLAG, "--json": "print the result as one JSON object" },
  examples: ["reprise sync check", "reprise sync check --json | jq .lost"],
  run: async (context, flags) => {
    const settings = await neededSettings(context, "check the store");
    const { check, failed } = await transfer(
      context,
      settings,
      flags,
      (store, options) => pushOnce(context, store, settings, { ...options, check: true }),
    );
    if (check === undefined) return;
    const lost = [...check.lost, ...failed];
    await tell(context, flags, { ...check, lost }, checkLines({ ...check, lost }, true));
    if (lost.length > 0) throw new CommandExit(STATUS.failed);
  },
});

/** Names the sessions to withdraw, and asks; a refusal exits. Returns false if there are none. */
async function mayReplace(
  context: Context,
  store: TeamStore,
  settings: SyncSettings,
  { yes }: TransferFlags,
): Promise<boolean> {
  const { syncStatus } = await import("../../lib/features/team/sync_status.ts");
  const { other_terms } = await syncStatus(contextLibrary(context), store, settings);
  if (other_terms.length === 0 || yes) return other_terms.length > 0;
  await say(
    context,
    [
      ...new Set(
        other_terms.map(({ shared, wanted }) =>
          `In the store: ${termsText(shared)}; on this machine: ${termsText(wanted)}`
        ),
      ),
    ].join("\n"),
  );
  const what = `Delete all versions of ${counted(other_terms.length, "session")} from the store, ` +
    "also those from other machines, and share your local copies again? Members keep what " +
    "they pulled.";
  if (!context.stdin_terminal || !context.stderr.terminal) {
    const message =
      "Cannot replace the shared sessions without your consent, because this deletes all their " +
      "versions in the store. To confirm: --yes";
    throw new SessionError("invalid-config", message);
  }
  if (await isConfirmed(context, what)) return true;
  await say(context, "Nothing was replaced");
  throw new CommandExit(STATUS.failed);
}

function nothingAdded(action: "push" | "pull"): SessionError {
  const all = action === "push" ? "" : ". To fetch all that you may read: reprise sync pull --all";
  const message = `Cannot ${action}: no project was added. To add one, run in its directory: ` +
    `reprise sync add${all}`;
  return new SessionError("invalid-config", message);
}

/** Options of a transfer that finds the identities when it needs them. */
interface LateIdentities extends Pick<TransferOptions, "signal"> {
  identities: () => Promise<string[]>;
}

async function transfer<Report>(
  context: Context,
  settings: SyncSettings,
  flags: TransferFlags,
  work: (store: TeamStore, options: LateIdentities) => Promise<Report>,
): Promise<Report> {
  let known: Promise<string[]> | undefined;
  const identities = (): Promise<string[]> =>
    known ??= knownIdentities(context, settings, flags.identity);
  return await untilInterrupted((signal) =>
    withTeamStore(context, settings, (store) => work(store, { identities, signal }))
  );
}

async function tell(
  context: Context,
  { json }: TransferFlags,
  report: object,
  lines: readonly string[],
): Promise<void> {
  if (json) await printJson(context, report);
  else await say(context, lines.join("\n"));
}
