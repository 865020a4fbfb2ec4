/** `reprise key` */
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { realDirectory } from "../lib/core/workspace/real_directory.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { say } from "./_message.ts";
import { contextStore } from "./_store.ts";

export const keyCommand = defineCommand({
  description:
    "Make keys for encrypted files, as age-keygen does. You keep the private key (the identity). " +
    "Others need the public key (the recipient) to encrypt files for you.",
  examples: [
    "reprise key new --out ~/.config/reprise/key.txt",
    "reprise key show ~/.config/reprise/key.txt",
  ],
  commands: {
    new: defineCommand({
      summary: "make a new private key (identity)",
      description:
        "Make a new private key (an age identity) in a file that only you can read. Print its " +
        "public key (the recipient), with which others encrypt files for you. An existing file " +
        "is never replaced.",
      flags: {
        "-o, --out <file>": {
          help: "the file to write; it must be outside of Reprise's data folder",
          required: true,
        },
        "--post-quantum":
          "make a key that resists quantum computers (senders need the program age, version " +
          "1.3 or later)",
      },
      examples: [
        "reprise key new --out ~/.config/reprise/key.txt",
        "reprise config set encrypt.recipients $(reprise key new --out key.txt)",
      ],
      run: makeKey,
    }),
    show: defineCommand({
      summary: "print the public key (recipient) of a private key (identity)",
      description:
        "Print the public key (the recipient) of each private key in a file, one per line.",
      arguments: [["<file>", "a file that `key new` or age-keygen made"]],
      examples: [
        "reprise key show ~/.config/reprise/key.txt",
        "reprise export 3f2a --encrypt $(reprise key show key.txt) --out 3f2a.age",
      ],
      run: async (context, file) => {
        const [{ readIdentityFile }, { recipientOf }] = await Promise.all([
          import("../lib/text/seal/identity_file.ts"),
          import("../lib/text/seal/keys.ts"),
        ]);
        for (const identity of await readIdentityFile(resolve(context.cwd, file))) {
          context.stdout.write(`${await recipientOf(identity)}\n`);
        }
      },
    }),
  },
});

async function makeKey(
  context: Context,
  { out, postQuantum: post_quantum = false }: { out: string; postQuantum?: true | boolean },
): Promise<void> {
  const path = resolve(context.cwd, out);
  assertOutside(context, path);
  // The page and the errors name ~/.config/reprise, which a new machine lacks.
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch {
    // Writing the key says what is wrong.
  }
  const [{ makeIdentity }, { writeIdentityFile }] = await Promise.all([
    import("../lib/text/seal/keys.ts"),
    import("../lib/text/seal/identity_file.ts"),
  ]);
  const recipient = await writeIdentityFile(
    path,
    await makeIdentity({ post_quantum }),
    context.now(),
  );
  await say(
    context,
    `Wrote ${out}: keep a copy elsewhere. Without the key, encrypted files are lost`,
  );
  context.stdout.write(`${recipient}\n`);
}

/** Throws for a path in the data folder, because backups would copy the private key. */
function assertOutside(context: Context, path: string): void {
  const root = realDirectory(contextStore(context).root);
  const folder = realDirectory(dirname(path));
  if (folder !== root && !folder.startsWith(join(root, "/"))) return;
  throw new UsageError(
    `keep keys out of the data folder, because backups would copy them: ${root}`,
  );
}
