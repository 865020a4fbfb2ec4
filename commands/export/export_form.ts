/** Decides the format and the encryption of an export, from the command line and the settings. */
import type { SealTarget } from "../../lib/text/seal/seal.ts";
import { readConfig } from "../../lib/core/workspace/config_file.ts";
import { collected, type Flags, type FlagsOf } from "../_command.ts";
import type { Context } from "../_context.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { UsageError } from "../_failure.ts";
import { askPassphrase } from "../_question.ts";
import { checkedRecipients, splitRecipients } from "../_seal_keys.ts";
import { contextStore } from "../_store.ts";
import { extname } from "node:path";
import type { ExportFormat } from "../../lib/features/export/export_document.ts";

const SETTING = "encrypt.recipients";

export const ENCRYPT_FLAGS = {
  "--encrypt [recipient]": {
    help: "encrypt for the owner of this public key (age1...); can be repeated " +
      `(default: the setting ${SETTING})`,
    preset: SETTING,
    parse: collected,
  },
  "--passphrase": "encrypt with a passphrase that you type",
} as const satisfies Flags;

type EncryptionFlags = FlagsOf<typeof ENCRYPT_FLAGS>;

/**
 * Returns the public keys or the passphrase to encrypt with, or `undefined` for an unencrypted
 * export. Asks the user for a passphrase if `--passphrase` is given.
 *
 * @throws {UsageError} if a recipient is invalid, or if both flags are given
 */
export async function sealTarget(
  context: Context,
  { encrypt, passphrase }: EncryptionFlags,
): Promise<SealTarget | undefined> {
  if (encrypt !== undefined && passphrase) {
    throw new UsageError("Give either --passphrase or --encrypt");
  }
  if (passphrase) {
    return { passphrase: await askPassphrase(context, "Passphrase: ", { again: true }) };
  }
  if (encrypt === undefined) return undefined;
  return { recipients: await checkedRecipients(encrypt.flatMap((one) => named(context, one))) };
}

function named(context: Context, text: string): string[] {
  if (text !== SETTING) return [text];
  const found = splitRecipients(readConfig(contextStore(context).root)[SETTING] ?? "");
  if (found.length > 0) return found;
  throw new UsageError(
    `--encrypt needs a public key (age1...). To set a default key: reprise config set ${SETTING} ` +
      "age1...",
  );
}

export function describeTarget(target: SealTarget | undefined): string {
  if (target === undefined) return "";
  return "passphrase" in target
    ? " (encrypted with the passphrase that you typed)"
    : ` (encrypted for ${counted(target.recipients.length, "public key")})`;
}

const EXTENSIONS: Readonly<Record<string, ExportFormat>> = {
  ".md": "md",
  ".markdown": "md",
  ".html": "html",
  ".htm": "html",
  ".txt": "text",
  ".json": "json",
  ".jsonl": "jsonl",
};

const SEALED = ".age";

/**
 * Returns the format for a file name. Without an extension, the format is Markdown, or an exact
 * copy if the export is encrypted.
 *
 * @param sealed True if the export is encrypted.
 */
export function formatByName(out: string | undefined, sealed: boolean): ExportFormat {
  const name = out?.toLowerCase() ?? "";
  if (!sealed && name.endsWith(SEALED)) {
    throw new UsageError(`a file name that ends in ${SEALED} needs --encrypt or --passphrase`);
  }
  const extension = extname(sealed && name.endsWith(SEALED) ? name.slice(0, -SEALED.length) : name);
  if (extension === "") return sealed ? "jsonl" : "md";
  const format = EXTENSIONS[extension];
  if (format !== undefined) return format;
  const known = Object.keys(EXTENSIONS).join(", ");
  throw new UsageError(
    `Cannot choose a format: the extension "${extension}" is not one of ${known}. Add --format`,
  );
}
