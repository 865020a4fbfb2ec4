/** Pairs this machine with the user's other machines, by pairing words. */
import { writeTextFileSync } from "../../lib/core/platform/files.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { present } from "../../lib/core/event/present.ts";
import { isThere } from "../../lib/core/file/presence.ts";
import { readSettingsText } from "../../lib/core/workspace/settings_file.ts";
import { hostName } from "../../lib/core/platform/process.ts";
import type { MachineSettings } from "../../lib/features/backup/machines/machine_settings.ts";
import { type Context, pathOf } from "../_context.ts";
import { UsageError } from "../_failure.ts";
import { say } from "../_message.ts";
import { askLine } from "../_question.ts";
import { storeAccess } from "./connection.ts";

export interface PairingFlags {
  words?: string;
  passwordCommand?: string;
  insecure?: true;
}

/** The settings of a paired machine. `is_first` is true for the first machine at the store. */
export interface Pairing {
  settings: MachineSettings;
  is_first: boolean;
  /** Absolute path of the file to write the pairing words to. Absent to print the words. */
  words_file?: string;
}

/**
 * Creates the settings of this machine, without saving them or sending sessions. The first machine
 * of a sync place gets new pairing words. Later machines need the words of the first.
 *
 * @throws {SessionError} `invalid-key` for wrong pairing words, or if the place is still empty
 * @throws {SessionError} `not-found` if the file of words is missing
 * @throws {UsageError} if the address has a password, or if there is no terminal to ask for words
 */
export async function pairMachine(
  context: Context,
  given: string,
  { words: name, passwordCommand, insecure }: PairingFlags,
): Promise<Pairing> {
  const { storeAddress } = await import("../../lib/features/team/store_address.ts");
  const { url, password } = storeAddress(given, context.cwd);
  if (password !== undefined) {
    throw new UsageError("the address has a password, which is never kept. Put it into ~/.pgpass");
  }
  const path = pathOf(context, name);
  const access = present({ url, password_command: passwordCommand, insecure });
  const keys = await keysIn(context, access);
  const { secretOf, wordsOf, SECRET_BYTES } = await import(
    "../../lib/features/backup/machines/pairing_words.ts"
  );
  const device = { id: crypto.randomUUID(), label: hostName() };
  const settings = { ...access, version: 1 as const, device, projects: [] };
  if (keys.size === 0 && (path === undefined || !isThere(path))) {
    const words = wordsOf(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
    return present({ settings: { ...settings, words }, is_first: true, words_file: path });
  }
  const words = wordsOf(secretOf(await knownWords(context, path)));
  const { PlaceKey } = await import("../../lib/features/backup/machines/place_key.ts");
  if (!keys.has(new PlaceKey(secretOf(words)).name)) {
    const message = keys.size === 0
      ? "Cannot join: no machine has sent anything to this place yet. Check its address; a synced " +
        "folder may not have arrived"
      : "Cannot join: these words are of another place";
    throw new SessionError("invalid-key", message);
  }
  return { settings: { ...settings, words }, is_first: false };
}

/**
 * Returns the names of the keys that machines use at a sync place. A key's name is not secret. If
 * the place is a database, makes its table first.
 */
async function keysIn(
  context: Context,
  access: Pick<MachineSettings, "url" | "password_command" | "insecure">,
): Promise<Set<string>> {
  const [{ openObjects }, { storeKind }, { machinePrefix }] = await Promise.all([
    import("../../lib/features/team/open_store.ts"),
    import("../../lib/features/team/store_address.ts"),
    import("../../lib/features/team/objects/object_keys.ts"),
  ]);
  const options = await storeAccess(context, access);
  if (storeKind(access.url) === "postgres") {
    const { makeObjectTable } = await import("../../lib/features/team/postgres/object_table.ts");
    await makeObjectTable(access.url, options);
  }
  const opened = await openObjects(access.url, options);
  await using objects = opened.objects;
  const prefix = machinePrefix(opened.owner ?? "me");
  const keys = new Set<string>();
  for await (const page of objects.list(prefix)) {
    for (const { key } of page) keys.add(key.slice(prefix.length).split("/")[0] ?? "");
  }
  return keys;
}

async function knownWords(context: Context, path: string | undefined): Promise<string> {
  if (path !== undefined) {
    const words = readSettingsText(path);
    if (words !== undefined) return words;
    const message = `Cannot join: your other machine uses this place already, and its words are ` +
      `not in this file: ${path}`;
    throw new SessionError("not-found", message, { path });
  }
  if (context.stdin_terminal && context.stderr.terminal) {
    return await askLine(context, "Words that your first machine showed: ");
  }
  throw new UsageError(
    "another machine of yours syncs through this place already. Give the file with the nine words " +
      "that it showed: --words FILE",
  );
}

export async function tellWords(
  context: Context,
  { settings, words_file }: Pairing,
): Promise<void> {
  const { words, url } = settings;
  const { quoteWord } = await import("../../lib/core/platform/shell_word.ts");
  const { fileURLToPath } = await import("node:url");
  const place = quoteWord(url.startsWith("file:") ? fileURLToPath(url) : url);
  if (words_file === undefined) {
    await say(context, `The words for your other machines:\n\n  ${words}\n`);
    await say(context, `On the other machine, in its project's directory: reprise sync ${place}`);
    return;
  }
  try {
    writeTextFileSync(words_file, `${words}\n`, { createNew: true, mode: 0o600 });
  } catch (error) {
    const { toSessionError } = await import("../../lib/core/log/io_error.ts");
    throw toSessionError(error, "write words", words_file);
  }
  await say(
    context,
    `The words are in ${words_file}. Bring the file to your other machine, and run there: ` +
      `reprise sync ${place} --words FILE`,
  );
}
