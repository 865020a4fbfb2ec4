/** `reprise send` */
import { basename, resolve } from "node:path";
import { SessionError } from "../lib/core/event/session_error.ts";
import { isThere } from "../lib/core/file/presence.ts";
import type { BundleManifest, BundlePart } from "../lib/features/backup/bundle/manifest.ts";
import type { PartSource } from "../lib/features/backup/bundle/session_parts.ts";
import type { PatchFile, WorkTree } from "../lib/features/backup/bundle/work_tree.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { counted } from "../lib/core/event/counted.ts";
import { present } from "../lib/core/event/present.ts";
import { directoryAbsence } from "../lib/core/workspace/session_directory.ts";
import { withProgress } from "../lib/frontends/ui/progress.ts";
import { bundleLines, listed, notedFiles } from "./_bundle_text.ts";
import { collected, defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { printExact, say } from "./_message.ts";
import { isConfirmed } from "./_question.ts";
import { checkedRecipients, splitRecipients } from "./_seal_keys.ts";
import { openWhole } from "./_session.ts";

const NOTES = `
The file contains exact copies of the session's files, or of its rows in the
agent's database, with subagents and file snapshots. It contains the hash of the
commit, and the uncommitted changes of the work tree as a patch: tracked files,
and untracked files that git does not ignore. It is encrypted with age: only the
owners of the keys can read it.
Secrets are listed, but not removed. The receiver runs: reprise take FILE`;

export const sendCommand = defineCommand({
  description: "Write a session and the uncommitted changes of its work tree into one encrypted " +
    "file, for another machine or person. The command first shows what the file will contain.",
  arguments: [["<ref>", "the session's id, or the path of its file"]],
  flags: {
    "--to <key>": {
      help: "the receiver's public key (age1…, see: reprise key show); repeat for several",
      parse: collected,
    },
    "-o, --out <file>": { help: "the file to write; an existing file is never replaced" },
    "--no-patch": "leave out the changes of the work tree",
    "--dry-run": "only show what the file would contain",
    "-y, --yes": "do not ask for confirmation",
  },
  notes: NOTES,
  examples: [
    "reprise send claude:3f2a --to age1... --out talk.reprise",
    "reprise send 3f2a --dry-run",
  ],
  run: async (context, ref, { to, out, patch: with_patch = true, dryRun, yes }) => {
    if (!dryRun && (to === undefined || out === undefined)) {
      throw new UsageError("Name the receiver's public key and the file: --to age1… --out FILE");
    }
    if (out === "-") {
      throw new UsageError("Name the file to write: --out FILE, such as talk.reprise");
    }
    const path = out === undefined ? undefined : resolve(context.cwd, out);
    if (path !== undefined && isThere(path)) {
      const message =
        `Cannot write the file: a file with this name exists, and is never replaced: ${path}`;
      throw new SessionError("io", message, { path });
    }
    const recipients = await checkedRecipients((to ?? []).flatMap(splitRecipients));
    const session = await openWhole(context, ref);
    if (!dryRun && !yes && !(context.stdin_terminal && context.stderr.terminal)) {
      throw new UsageError(
        "Cannot ask whether to write the file: this is not a terminal. Add --yes to write it, or " +
          "--dry-run to only show what it would contain",
      );
    }
    const bundle = await bundleOf(context, session, with_patch);
    if (dryRun) return await say(context, "Nothing was written");
    const question = `Encrypt this for ${counted(recipients.length, "key")}?`;
    if (!yes && !await isConfirmed(context, question)) {
      await say(context, "Nothing was written");
      throw new CommandExit(STATUS.cancelled);
    }
    await writeSealed(context, bundle, path ?? "", recipients);
    await printExact(context, path ?? "");
    await say(context, `The receiver runs: reprise take ${basename(path ?? "")}`);
  },
});

async function writeSealed(
  context: Context,
  { manifest, read }: ReadyBundle,
  path: string,
  recipients: readonly string[],
): Promise<void> {
  const [{ openExport }, { bundleBytes }, { sealTo }] = await Promise.all([
    import("./export/output.ts"),
    import("../lib/features/backup/bundle/bundle_stream.ts"),
    import("../lib/text/seal/seal.ts"),
  ]);
  const stage = await sealTo({ recipients });
  const output = openExport(context, path, false);
  try {
    const sealed = ReadableStream.from(bundleBytes(manifest, read)).pipeThrough(stage);
    for await (const bytes of sealed) output.writeBytes(bytes);
    output.commit();
  } finally {
    output.discard();
  }
}

interface ReadyBundle {
  manifest: BundleManifest;
  read: (part: BundlePart, index: number) => Iterable<Uint8Array>;
}

/** Collects the session, its commit and a patch. Prints the contents, secrets and omitted parts. */
async function bundleOf(
  context: Context,
  session: SessionHandle,
  with_patch: boolean,
): Promise<ReadyBundle> {
  const { heldPart, sessionParts } = await import(
    "../lib/features/backup/bundle/session_parts.ts"
  );
  const { formatOf } = await import("../lib/features/backup/bundle/manifest.ts");
  const { environment } = contextLibrary(context).place;
  const { cwd, title } = await session.summary();
  const { parts, cwd_folder, left_out, outputs } = await sessionParts(session, environment);
  const absence = cwd === undefined ? "not known" : directoryAbsence(cwd);
  const tree = cwd === undefined || absence !== undefined
    ? undefined
    : await treeOf(context, cwd, with_patch);
  const { agent, id } = session;
  const { top, patch, files, ...git } = tree ?? { patch: new Uint8Array(), files: [] };
  const sources: PartSource[] = patch.length === 0
    ? parts
    : [...parts, heldPart("patch", "work-tree.patch", patch)];
  const manifest: BundleManifest = present({
    ...{ bundle: "reprise" as const, format: formatOf(parts) },
    made_at: context.now().toISOString(),
    ...{ agent, id, title, cwd, top, cwd_folder },
    git: "commit" in git ? git : undefined,
    parts: sources.map(({ kind, name, bytes, sha256 }) => ({ kind, name, bytes, sha256 })),
  });
  const noted = await notedFiles(files);
  await say(context, (await bundleLines(manifest, noted)).join("\n"));
  await say(context, (await secretLines(context, session, patch)).join("\n"));
  if (tree === undefined) {
    const reason = absence === undefined ? "is not at a git commit" : `is ${absence}`;
    await say(context, `  left out:  commit and changes: the session's directory ${reason}`);
  }
  for (const path of left_out) {
    await say(context, `  left out:  ${path} (other sessions use these files, too)`);
  }
  for (const path of outputs) {
    await say(context, `  left out:  ${path} (the session has the beginning of this output)`);
  }
  return { manifest, read: (_, index) => sources[index]?.read() ?? [] };
}

interface ChangedTree extends WorkTree {
  patch: Uint8Array;
  files: PatchFile[];
}

async function treeOf(
  { variable }: Context,
  cwd: string,
  with_patch: boolean,
): Promise<ChangedTree | undefined> {
  const { capturePatch, patchFiles, workTreeAt } = await import(
    "../lib/features/backup/bundle/work_tree.ts"
  );
  const tree = await workTreeAt({ cwd, variable });
  if (tree === undefined) return undefined;
  const git = { cwd: tree.top, variable };
  const patch = with_patch ? await capturePatch(git, tree.top) : new Uint8Array();
  return { ...tree, patch, files: await patchFiles(git, patch) };
}

async function secretLines(
  context: Context,
  session: SessionHandle,
  patch: Uint8Array,
): Promise<string[]> {
  const [{ Redactor }, { SecretCounts }] = await Promise.all([
    import("../lib/text/redaction/redactor.ts"),
    import("../lib/text/redaction/secret_counts.ts"),
  ]);
  let thread = "main";
  const found: string[] = [];
  const counts = new SecretCounts();
  const redactor = new Redactor({
    report: (finding) => {
      counts.add(finding);
      const { kind, seq, field, length } = finding;
      const place = seq === undefined
        ? field
        : `event ${seq}${thread === "main" ? "" : ` of ${thread}`}`;
      found.push(`    ${kind}, ${length} characters: ${place}`);
    },
  });
  await withProgress(context, "Searching for secrets", async () => {
    for await (const { events } of session.allEvents()) {
      events.forEach((one) => redactor.observe(one));
    }
    for await (const batch of session.allEvents()) {
      thread = batch.thread;
      for (const event of batch.events) redactor.event(event);
    }
    const text = new TextDecoder().decode(patch);
    for (const section of text.split(/^(?=diff --git )/m)) {
      const name = /^\+\+\+ b\/(.*)$/m.exec(section)?.[1];
      if (name !== undefined) redactor.text(section, `patch of ${name}`);
    }
  });
  if (found.length === 0) return ["  secrets:   none found"];
  const { secrets, places } = counts;
  const where = places === secrets ? "" : ` in ${counted(places, "place")}`;
  return [
    `  secrets:   ${secrets}${where}; the file will contain them unchanged:`,
    ...listed(found),
  ];
}
