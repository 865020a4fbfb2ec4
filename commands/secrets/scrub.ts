/** `reprise secrets REF --scrub`: replaces the secrets in a session's files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../lib/core/event/counted.ts";
import { readConfig } from "../../lib/core/workspace/config_file.ts";
import { homeFolder } from "../../lib/core/workspace/home_folder.ts";
import type { ScrubOptions } from "../../lib/features/repair/scrub/hold_places.ts";
import type { ScrubReport } from "../../lib/features/repair/scrub/scrub_session.ts";
import type { Library } from "../../lib/library/library.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { printFitted, printJson, say } from "../_message.ts";
import { askLine } from "../_question.ts";
import { checkedRecipients, identitiesAtHand, splitRecipients } from "../_seal_keys.ts";
import { assertWhole, openWhole } from "../_session.ts";
import { contextStore } from "../_store.ts";
import { kindList } from "./count_secrets.ts";

export interface ScrubFlags {
  write?: true;
  undo?: true;
  /** False if no encrypted copy of the original files is to be kept (`--no-original`). */
  original?: boolean;
  identity?: readonly string[];
  json?: true;
}

export async function scrub(context: Context, ref: string, flags: ScrubFlags): Promise<void> {
  const session = await openWhole(context, ref);
  assertWhole(session, ref);
  const library = contextLibrary(context);
  const options = await scrubOptions(context, library, session);
  if (flags.undo) return await undo(context, library, session, { options, flags });
  const { examineSecrets, scrubSession } = await import(
    "../../lib/features/repair/scrub/scrub_session.ts"
  );
  if (!flags.write) {
    const report = await examineSecrets(session, options);
    await print(context, session, report, { flags, written: false });
    if (report.files.length > 0) throw new CommandExit(STATUS.failed);
    return;
  }
  const recipients = await recipientsFor(context, flags);
  const report = await scrubSession(session, options, recipients);
  await forget(library, session);
  await print(context, session, report, { flags, written: true });
  if (report.changed.length > 0) throw new CommandExit(STATUS.failed);
}

async function scrubOptions(
  context: Context,
  { place }: Library,
  { agent, id }: SessionHandle,
): Promise<ScrubOptions> {
  const { now } = context;
  const { root } = contextStore(context);
  const [{ copiesToScrub }, { lockBackups }] = await Promise.all([
    import("../../lib/features/backup/copies_to_scrub.ts"),
    import("../../lib/features/backup/lock_backups.ts"),
  ]);
  return {
    ...{ root, now, environment: place.environment },
    copies: () => copiesToScrub(root, agent, id),
    lockCopies: () => lockBackups(root, now(), "scrub session"),
  };
}

/**
 * Returns the public keys to which the originals are encrypted. Undefined if no originals are to be
 * saved.
 *
 * @throws {UsageError} without a key, if there is no terminal to ask whether to continue
 * @throws {CommandExit} if the user does not want to continue without a key
 */
async function recipientsFor(
  context: Context,
  { original, identity }: ScrubFlags,
): Promise<string[] | undefined> {
  if (original === false) return undefined;
  const identities = identity === undefined
    ? splitRecipients(readConfig(contextStore(context).root)["encrypt.recipients"] ?? "")
    : [];
  if (identities.length > 0) return await checkedRecipients(identities);
  const keys = await identitiesAtHand(context, identity);
  if (keys !== undefined) {
    const { recipientOf } = await import("../../lib/text/seal/keys.ts");
    return await Promise.all(keys.map(recipientOf));
  }
  const advice = "To make a key: reprise config set encrypt.recipients $(reprise key new --out " +
    "~/.config/reprise/key.txt)";
  if (!context.stdin_terminal || !context.stderr.terminal) {
    throw new UsageError(
      `There is no key to encrypt the original for. To keep no original: --no-original. ${advice}`,
    );
  }
  await say(context, advice);
  const question = "No encryption key is set, so the original cannot be kept. Type yes to go on: ";
  if (await askLine(context, question) === "yes") return undefined;
  await say(context, "Nothing was changed");
  throw new CommandExit(STATUS.cancelled);
}

async function forget(library: Library, session: SessionHandle): Promise<void> {
  const threads = (await session.threads()).map(({ id }) => id);
  await library.forget(session.agent, [session.id, ...threads]);
}

async function undo(
  context: Context,
  library: Library,
  session: SessionHandle,
  { options, flags }: { options: ScrubOptions; flags: ScrubFlags },
): Promise<void> {
  const identities = await identitiesAtHand(context, flags.identity);
  if (identities === undefined) {
    throw new UsageError(
      "Give the private key that opens the originals: --identity FILE, or set REPRISE_IDENTITY",
    );
  }
  const { undoScrub } = await import("../../lib/features/repair/scrub/scrub_session.ts");
  const undone = await undoScrub(session, options, identities);
  await forget(library, session);
  const { ref } = session;
  if (flags.json) return await printJson(context, { ref, ...undone });
  const left = undone.left.map((path) =>
    `Not changed, because the file was changed later: ${path}`
  );
  await printFitted(
    context,
    [`Restored ${counted(undone.restored.length, "file")} of ${ref}`, ...left].join("\n"),
  );
}

interface Printing {
  flags: ScrubFlags;
  written: boolean;
}

async function print(
  context: Context,
  session: SessionHandle,
  report: ScrubReport,
  { flags: { json }, written }: Printing,
): Promise<void> {
  const { ref } = session;
  const stores = await storesWith(context, session, report);
  if (json) return await printJson(context, { ref, written, ...report, stores });
  const { files, secrets, places, originals } = report;
  const home = homeFolder(context.variable);
  const { directoryText } = await import("../../lib/text/render/path_text.ts");
  const shown = (path: string): string => directoryText(path, home);
  const lines = files.flatMap(({ path, kinds }) => [shown(path), `  ${kindList(kinds)}`]);
  if (report.finished) lines.unshift("Finished an earlier --scrub that was interrupted");
  for (const path of report.changed) {
    lines.push(
      "The session changed while its secrets were being replaced; run the command " +
        `again: ${shown(path)}`,
    );
  }
  const kept = [
    ...report.databases.map((path) =>
      path === session.path
        ? `other sessions with some of these secrets in ${shown(path)}`
        : `${shown(path)} (a database of ${session.agent_title})`
    ),
    ...(secrets === 0 ? [] : report.snapshots).map((path) =>
      `${shown(path)} (${session.agent_title}'s snapshots of files, which are compressed)`
    ),
    ...report.linked.map((path) =>
      `the same file under another name (a hard link of ${shown(path)})`
    ),
    ...stores,
  ];
  if (kept.length > 0) lines.push("Not touched:");
  const text = [...lines, ...kept.map((one) => `  ${one}`)].join("\n");
  if (text !== "") await printFitted(context, text);
  if (secrets === 0) return await say(context, `No secrets were found in the files of ${ref}`);
  const where = `${counted(secrets, "secret")} in ${counted(places, "place")} of ` +
    counted(files.length, "file");
  if (!written) {
    return await say(
      context,
      `Would replace ${where}. To do so: reprise secrets ${ref} --scrub --write`,
    );
  }
  await say(
    context,
    `Replaced ${where}. Others may know these secrets: revoke them where they were issued, and make new ones`,
  );
  await say(
    context,
    originals === undefined
      ? "The original was not kept"
      : `The original is encrypted in ${originals}\nUndo with: reprise secrets ${ref} --scrub --undo ` +
        "--identity FILE, with the file of your private key",
  );
}

/**
 * Returns a line for each team's store that has a copy of the session or of its backup. The line
 * says how to delete the copy.
 */
async function storesWith(
  context: Context,
  { agent, id, ref, log }: SessionHandle,
  { sessions }: ScrubReport,
): Promise<string[]> {
  const { root } = contextStore(context);
  if (!existsSync(join(root, "sync"))) return [];
  const { sharedIn } = await import("../../lib/features/team/state/sync_state.ts");
  const own = log === undefined ? [`${agent}:${id}`] : [];
  return [...new Set([...own, ...sessions])].flatMap((one) =>
    sharedIn(root, one).map(({ store, project }) => {
      const what = one === ref ? one : `${one} (its backup)`;
      return `${what} is also in store ${store} (project ${project}). The next reprise sync push ` +
        `replaces the copy there. To delete it from the store: reprise sync withdraw ${one}`;
    })
  );
}
