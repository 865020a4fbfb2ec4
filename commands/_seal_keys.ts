/** Finds the keys of encrypted files: `--identity`, `REPRISE_IDENTITY`, `encrypt.key_command`. */
import { basename, resolve } from "node:path";
import { SessionError } from "../lib/core/event/session_error.ts";
import type { SealedFile } from "../lib/library/machine/sealed/find_sealed.ts";
import type { SealKeys } from "../lib/text/seal/open_sealed.ts";
import { readConfig } from "../lib/core/workspace/config_file.ts";
import type { Context } from "./_context.ts";
import { askPassphrase } from "./_question.ts";
import { contextStore } from "./_store.ts";
import { UsageError } from "./_failure.ts";
import { present } from "../lib/core/event/present.ts";

const VARIABLE = "REPRISE_IDENTITY";
const SETTING = "encrypt.key_command";

/**
 * Returns the keys of an encrypted file.
 *
 * @param files The files of `--identity`, if the flag was given.
 * @throws {SessionError} `invalid-key`, `not-found`; `encrypted` where a passphrase cannot be asked
 * for
 */
export async function sealKeys(
  context: Context,
  sealed: SealedFile,
  files: readonly string[] | undefined,
): Promise<SealKeys> {
  if (sealed.passphrase) return await typedKeys(context, sealed);
  return present({ identities: await identitiesAtHand(context, files) });
}

async function typedKeys(context: Context, { path }: SealedFile): Promise<SealKeys> {
  if (context.stdin_terminal && context.stderr.terminal) {
    return { passphrase: await askPassphrase(context, `Passphrase of ${basename(path)}: `) };
  }
  const message = "Cannot decrypt: the file needs a passphrase. Run this command at a " +
    `terminal: ${path}`;
  throw new SessionError("encrypted", message, { path });
}

/**
 * Returns the secret keys in `files`, else in the file of `REPRISE_IDENTITY`, else from the command
 * in `encrypt.key_command`. Undefined if none of the three is set.
 *
 * @throws {SessionError} `invalid-key`, `not-found`
 */
export async function identitiesAtHand(
  context: Context,
  files: readonly string[] | undefined,
): Promise<string[] | undefined> {
  const variable = context.variable(VARIABLE);
  const paths = files ?? (variable === undefined || variable === "" ? [] : [variable]);
  if (paths.length > 0) return await readFiles(context, paths);
  const command = keyCommand(context);
  if (command === undefined) return undefined;
  const [{ runKeyCommand }, { parseIdentities }] = await Promise.all([
    import("./_key_command.ts"),
    import("../lib/text/seal/keys.ts"),
  ]);
  return await parseIdentities(await runKeyCommand(context, command), SETTING);
}

async function readFiles({ cwd }: Context, paths: readonly string[]): Promise<string[]> {
  const { readIdentityFile } = await import("../lib/text/seal/identity_file.ts");
  const found: string[] = [];
  for (const path of paths) {
    for (const one of await readIdentityFile(resolve(cwd, path))) found.push(one);
  }
  return found;
}

function keyCommand(context: Context): string | undefined {
  let root: string;
  try {
    root = contextStore(context).root;
  } catch {
    // A path can be read without a store.
    return undefined;
  }
  return readConfig(root)[SETTING];
}

export function splitRecipients(text: string): string[] {
  return text.split(/[\s,]+/).filter((one) => one !== "");
}

export async function checkedRecipients(texts: readonly string[]): Promise<string[]> {
  const { checkRecipients } = await import("../lib/text/seal/keys.ts");
  try {
    return await checkRecipients(texts);
  } catch (error) {
    throw error instanceof SessionError ? new UsageError(error.message) : error;
  }
}
