/** `reprise sync words`: shows the pairing words again, or makes new ones. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import { readSettingsText } from "../../lib/core/workspace/settings_file.ts";
import type { MachineSettings } from "../../lib/features/backup/machines/machine_settings.ts";
import { defineCommand } from "../_command.ts";
import { type Context, pathOf } from "../_context.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { isConfirmed } from "../_question.ts";
import { withMachinePlace } from "./machine_round.ts";

export const wordsCommand = defineCommand({
  summary: "show the words that pair another machine",
  description:
    "Show the words that pair another of your machines. With --new, make other words, as after a " +
    "machine was lost: what this machine sent is sent again under the new words, and deleted under " +
    "the old ones. Then give the new words to your other machines.",
  flags: { "--new": "make new words", "-y, --yes": "do not ask for confirmation" },
  examples: ["reprise sync words", "reprise sync words --new"],
  run: words,
});

async function words(
  context: Context,
  { new: is_new, yes }: { new?: true; yes?: true },
): Promise<void> {
  const { root } = contextLibrary(context);
  const { readMachineSettings } = await import(
    "../../lib/features/backup/machines/machine_settings.ts"
  );
  const known = readMachineSettings(root);
  if (known === undefined) {
    const message = "Cannot show words: this machine is not paired. To pair it: reprise sync PLACE";
    throw new SessionError("not-found", message);
  }
  if (!is_new) return context.stdout.write(`${known.words}\n`);
  if (!yes) await confirm(context);
  const { SECRET_BYTES, wordsOf } = await import(
    "../../lib/features/backup/machines/pairing_words.ts"
  );
  const words = wordsOf(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  await withWords(context, known, words);
  context.stdout.write(`${words}\n`);
  await say(
    context,
    "To send again under the new words: reprise sync --once. On each of your other machines, put " +
      "the words into a file, and run: reprise sync PLACE --words FILE",
  );
}

async function confirm(context: Context): Promise<void> {
  if (!(context.stdin_terminal && context.stderr.terminal)) {
    throw new UsageError("Cannot ask: this is not a terminal. To make new words, add --yes");
  }
  const question = "Machines that have only the old words receive nothing more. Make new words?";
  if (await isConfirmed(context, question)) return;
  throw new CommandExit(STATUS.cancelled);
}

/** Stores the pairing words of file `name`. Returns `known` if there is no file or no change. */
export async function newWords(
  context: Context,
  known: MachineSettings,
  name: string,
): Promise<MachineSettings> {
  const path = pathOf(context, name) ?? name;
  const text = readSettingsText(path);
  // The first machine's file may be gone since.
  if (text === undefined) return known;
  const { secretOf, wordsOf } = await import("../../lib/features/backup/machines/pairing_words.ts");
  const words = wordsOf(secretOf(text));
  return words === known.words ? known : await withWords(context, known, words);
}

/**
 * Stores the new words, and deletes the data that this machine sent under the old words. The next
 * sync sends the data again.
 */
async function withWords(
  context: Context,
  known: MachineSettings,
  words: string,
): Promise<MachineSettings> {
  const { root } = contextLibrary(context);
  const { leaveKey } = await import("../../lib/features/backup/machines/own_packs.ts");
  const { writeMachineSettings } = await import(
    "../../lib/features/backup/machines/machine_settings.ts"
  );
  const settings = { ...known, words };
  await withMachinePlace(
    context,
    known,
    (place) => leaveKey(place, root, known.device.id, () => writeMachineSettings(root, settings)),
  );
  return settings;
}
