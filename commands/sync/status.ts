/** `reprise sync status` */
import type {
  DivergedEnd,
  DivergedSession,
  SyncStatus,
} from "../../lib/features/team/sync_status.ts";
import type { LastSync } from "../../lib/features/team/state/last_sync.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import { defineCommand } from "../_command.ts";
import { type Context, timeFormat } from "../_context.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { contextLibrary } from "../_library.ts";
import { goneLines } from "./added_project.ts";
import { knownIdentities, neededSettings, withTeamStore } from "./connection.ts";
import { FORM_WORDS, shortName, termsText } from "./report_text.ts";
import { printFitted, printJson } from "../_message.ts";

export const statusCommand = defineCommand({
  summary: "show what is shared, what is new, and what was continued on two machines",
  description:
    "Show what this machine shares, what a push or a pull would do, which sessions were " +
    "continued on two machines, and when the last push and pull succeeded. Nothing is sent or " +
    "changed.",
  flags: { "--json": "print the status as one JSON object" },
  examples: ["reprise sync status", "reprise sync status --json | jq .diverged"],
  run: (context, { json }) => status(context, json ?? false),
});

async function status(context: Context, json: boolean): Promise<void> {
  const settings = await neededSettings(context, "show what is shared");
  const { sanitizeText } = await import("../../lib/text/render/sanitize.ts");
  const print = (lines: readonly string[]): Promise<void> =>
    printFitted(context, lines.map(sanitizeText).join("\n"));
  // Local facts are printed even if the store cannot be reached.
  const { machineKey } = await import("../../lib/features/team/state/device_key_file.ts");
  const key = machineKey(contextLibrary(context).root);
  const { readLastSync } = await import("../../lib/features/team/state/last_sync.ts");
  const last = readLastSync(contextLibrary(context).root);
  if (!json) {
    await print([
      ...settingsLines(settings, key),
      ...goneLines(settings.projects),
      ...lastLines(last, settings, timeFormat(context)),
    ]);
  }
  const { syncStatus } = await import("../../lib/features/team/sync_status.ts");
  const identities = await knownIdentities(context, settings);
  const told = await withTeamStore(
    context,
    settings,
    (store) => syncStatus(contextLibrary(context), store, settings, identities),
  );
  if (!json) return await print(statusLines(told));
  const { url, device, projects } = settings;
  await printJson(context, { url, device, key, projects, last, ...told });
}

function settingsLines(
  { url, device, projects, trusted = [] }: SyncSettings,
  key: string | undefined,
): string[] {
  return [
    `store     ${url}`,
    `machine   ${device.label}`,
    ...(key === undefined ? [] : [`key       ${key}`]),
    ...trusted.map((other) => `trusted   ${other}`),
    ...projects.map(({ project, directory, form, visible, agents }) => {
      const parts = [
        FORM_WORDS[form],
        ...(visible === "private" ? ["private"] : []),
        ...(agents === undefined ? [] : [`of ${agents.join(", ")}`]),
      ];
      return `project   ${project}  ${directory}  ${parts.join(", ")}`;
    }),
    ...(projects.length === 0
      ? ["project   none. To add one, run in the project's directory: reprise sync add"]
      : []),
  ];
}

/** Returns the lines of the last push and pull with the present store. */
function lastLines(
  last: LastSync,
  { store }: SyncSettings,
  format: (iso: string) => string,
): string[] {
  const acts = [["last push", last.push], ["last pull", last.pull]] as const;
  return acts.map(([label, transfer]) => {
    if (transfer === undefined || transfer.store !== store) return `${label} none yet`;
    const { time, by, sessions } = transfer;
    return `${label} ${format(time)}, by ${by}: ${counted(sessions, "session")}`;
  });
}

function statusLines(status: SyncStatus): string[] {
  const { owner, sessions, to_push, to_pull, diverged, withdrawn, left_out } = status;
  const { in_store, other_terms, incomplete, untrusted } = status;
  const others = left_out === 0
    ? ""
    : `. Only Reprise's own sessions can be encrypted. Not sent: ${
      counted(left_out, "session")
    } of other agents`;
  return [
    `member    ${owner}`,
    `shared    ${counted(sessions, "session")}${others}`,
    ...in_store.map(({ sessions, ...terms }) =>
      `in store  ${counted(sessions, "session")}: ${termsText(terms)}`
    ),
    ...other_terms.map(({ session, shared, wanted }) =>
      `differs   ${shortName(session)}  the store has ${termsText(shared)}, but this machine's ` +
      `settings say ${
        termsText(wanted)
      }. To replace what the store has: reprise sync push --replace`
    ),
    `to push   ${to_push.length}${to_push.length > 0 ? ": reprise sync push" : ""}`,
    `to pull   ${to_pull.length}${to_pull.length > 0 ? ": reprise sync pull" : ""}`,
    ...incomplete.map((ref) =>
      `missing   ${shortName(ref)}  parts are not in the store yet. If this does ` +
      "not change, run on the machine that sent them: reprise sync check"
    ),
    ...untrusted.map((ref) =>
      `untrusted ${shortName(ref)}  sent in your name, but not by a machine that you trust. ` +
      `To continue it in a copy: reprise fork ${shortName(ref)}`
    ),
    ...diverged.flatMap(divergedLines),
    ...withdrawn.map((session) => `withdrawn ${shortName(session)}`),
  ];
}

function divergedLines({ session, here, others }: DivergedSession): string[] {
  const name = shortName(session);
  return others.map((other) =>
    `on two machines  ${name}  here: ${endText(here)}, there: ${shortName(other.ref)} ${
      endText(other)
    }; ` +
    `compare: reprise diff ${name} ${shortName(other.ref)}`
  );
}

function endText({ last_seq, device }: DivergedEnd): string {
  return `${last_seq === undefined ? "" : `#${last_seq} `}(${device})`;
}
