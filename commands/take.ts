/** `reprise take`: continues a session from a file that `reprise send` wrote. */
import { resolve } from "node:path";
import { joinBytes } from "../lib/core/event/bytes.ts";
import { counted } from "../lib/core/event/counted.ts";
import { type AgentName, REPRISE, WRITABLE_AGENTS } from "../lib/core/event/agent_name.ts";
import { present } from "../lib/core/event/present.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import { isThere } from "../lib/core/file/presence.ts";
import { quoteWord } from "../lib/core/platform/shell_word.ts";
import type { BundleManifest } from "../lib/features/backup/bundle/manifest.ts";
import type { SealKeys } from "../lib/text/seal/open_sealed.ts";
import { bundleLines, type NotedFile, notedFiles } from "./_bundle_text.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { printFitted, say } from "./_message.ts";
import { isConfirmed } from "./_question.ts";
import { placed, type PlacedBundle, refOf } from "./_placed_bundle.ts";
import { IDENTITY_FLAG } from "./_scope_flags.ts";
import { identitiesAtHand } from "./_seal_keys.ts";

const NOTES = `
Run this in a clone of the session's repository. The whole file is checked
before anything is written. Then the command adds a git work tree at the
session's commit, next to the clone. It applies the patch, places the session in
its agent's own folder, and prints the command line that continues it. An
existing session is never replaced. Git runs without hooks and filters.

Read the session before you continue it, because its text is sent to the model.
Its patch can change files that other programs run, such as hooks. --yes leaves
these files out; --executed includes them.`;

const FLAGS = {
  ...IDENTITY_FLAG,
  "--in <agent>": {
    help: "hand the session over to this agent, under a new id",
    choices: WRITABLE_AGENTS,
  },
  "--redact": "with --in: replace secrets in the copy",
  "--here": "use the current work tree or directory; add no work tree",
  "--no-patch": "do not apply the patch",
  "--executed": "with --yes: also apply changes to files that other programs run, such as hooks",
  "--patch-only": { help: "print the patch; change nothing", conflicts: ["yes", "in", "here"] },
  "--dry-run": "only check the file, and show what is in it",
  "-y, --yes": "do not ask for confirmation",
} as const satisfies Flags;

type TakeFlags = FlagsOf<typeof FLAGS>;

export const takeCommand = defineCommand({
  description: "Continue a session that somebody sent with reprise send.",
  arguments: [["<file>", "the file that reprise send wrote"]],
  flags: FLAGS,
  notes: NOTES,
  examples: [
    "reprise take talk.reprise --identity ~/.config/reprise/key.txt",
    "reprise take talk.reprise --in codex",
  ],
  run: take,
});

interface CheckedBundle extends PlacedBundle {
  patch: Uint8Array;
  files: NotedFile[];
}

async function take(context: Context, file: string, flags: TakeFlags): Promise<void> {
  const { yes, dryRun, patchOnly, executed, redact } = flags;
  if (executed && !yes) throw new UsageError("--executed needs --yes");
  if (redact && (flags.in === undefined || flags.in === REPRISE)) {
    throw new UsageError("--redact needs --in with another agent, such as --in codex");
  }
  const path = resolve(context.cwd, file);
  if (!isThere(path)) {
    throw new SessionError("not-found", `Cannot take the sent session: there is no file ${path}`, {
      path,
    });
  }
  const bundle = await checkedBundle(context, path, flags.identity);
  const { manifest, patch, files } = bundle;
  const asks = !yes && !dryRun && !patchOnly;
  if (asks && !(context.stdin_terminal && context.stderr.terminal)) {
    throw new UsageError(
      "Cannot ask whether to take the session: this is not a terminal. Add --yes to take it, or " +
        "--dry-run to only show what is in the file",
    );
  }
  if (patchOnly) {
    if (!context.stdout.terminal) return context.stdout.writeBytes(patch);
    return await printFitted(context, new TextDecoder().decode(patch));
  }
  await say(
    context,
    [...await bundleLines(manifest, files), `  made:      ${manifest.made_at}`].join("\n"),
  );
  if (dryRun) return await say(context, "The file is intact. Nothing was written");
  const to = flags.in ?? await agentForCopy(context, manifest, file, yes ?? false);
  const tree = await planTree(context, manifest, flags);
  const title = to && contextLibrary(context).titleOf(to);
  const handed = title === undefined ? "" : `\nIt is handed over to ${title}, under a new id`;
  await say(context, `${tree.text}${handed}`);
  if (!yes && !await isConfirmed(context, "Take the session?")) return await cancelled(context);
  const unsafe = await unsafeNames(tree.directory, files);
  const noted = files.filter(({ note }) => note !== "").length;
  const question = noted === 0
    ? "Apply the patch?"
    : `Apply the patch, including ${counted(noted, "marked file")}?`;
  const applies = patch.length > 0 && flags.patch !== false &&
    (yes || await isConfirmed(context, question));
  const left_out = files.filter(({ name, note }) =>
    unsafe.has(name) || (yes && !executed && note !== "")
  );
  const names = left_out.map(({ name }) => name);
  let undo = await tree.add?.();
  try {
    const { applyPatch } = await import("../lib/features/backup/bundle/work_tree.ts");
    const git = { cwd: tree.directory, variable: context.variable };
    if (applies) {
      await applyPatch(git, patch, names);
      undo ??= () => applyPatch(git, patch, names, true);
    }
    const handover = to && present({
      ...{ to, redact },
      confirm: yes ? undefined : () => isConfirmed(context, "Hand it over?"),
    });
    await placed(context, bundle, tree.directory, handover);
  } catch (error) {
    await undo?.();
    throw error;
  }
  if (!applies) return;
  for (const { name, note } of left_out) {
    await say(context, `Left out of the patch: ${name} (${note || "part of a git repository"})`);
  }
}

async function cancelled(context: Context): Promise<never> {
  await say(context, "Nothing was written");
  throw new CommandExit(STATUS.cancelled);
}

async function checkedBundle(
  context: Context,
  path: string,
  identity: readonly string[] | undefined,
): Promise<CheckedBundle> {
  const { readBundle } = await import("../lib/features/backup/bundle/bundle_stream.ts");
  const { MOST_PATCH_BYTES, patchFiles } = await import(
    "../lib/features/backup/bundle/work_tree.ts"
  );
  const keys: SealKeys = present({ identities: await identitiesAtHand(context, identity) });
  const pieces: Uint8Array[] = [];
  const manifest = await readBundle(path, keys, ({ kind, bytes }) => {
    if (kind !== "patch") return undefined;
    if (bytes > MOST_PATCH_BYTES) {
      throw new SessionError(
        "too-large",
        "Cannot take the sent session: its patch is larger than 256 MB",
      );
    }
    return { write: (piece) => pieces.push(piece.slice()) };
  });
  const patch = joinBytes(pieces);
  const files = await notedFiles(await patchFiles(context, patch));
  return { path, keys, manifest, patch, files };
}

/** Returns the agent for a copy under a new id. Undefined if the session is not on this machine. */
async function agentForCopy(
  context: Context,
  manifest: BundleManifest,
  file: string,
  yes: boolean,
): Promise<AgentName | undefined> {
  const { agent } = manifest;
  const ref = refOf(manifest);
  try {
    await contextLibrary(context).open(ref);
  } catch (error) {
    if (error instanceof SessionError && error.code === "not-found") return undefined;
    throw error;
  }
  const can_copy = (WRITABLE_AGENTS as readonly string[]).includes(agent);
  if (!yes && can_copy) {
    await say(context, `${ref} is already on this machine, and was not changed`);
    if (await isConfirmed(context, "Make a copy under a new id?")) return agent;
    return await cancelled(context);
  }
  const copier = can_copy ? agent : "AGENT";
  const message =
    `Cannot take the sent session: ${ref} is already on this machine, and was not changed. ` +
    `To make a copy under a new id: reprise take ${quoteWord(file)} --in ${copier}`;
  throw new SessionError("changed", message, { ref });
}

interface PlannedTree {
  directory: string;
  text: string;
  /** Makes the directory, and returns a function to remove it. Absent if the directory exists. */
  add?: () => Promise<() => Promise<void>>;
}

async function planTree(
  context: Context,
  { git, id }: BundleManifest,
  { here }: TakeFlags,
): Promise<PlannedTree> {
  const { addWorkTree, hasCommit, newWorkTreePath, workTreeAt } = await import(
    "../lib/features/backup/bundle/work_tree.ts"
  );
  const folder = { cwd: context.cwd, variable: context.variable };
  const tree = git === undefined ? undefined : await workTreeAt(folder);
  if (git === undefined || here) {
    const directory = tree?.top ?? context.cwd;
    if (tree !== undefined && tree.commit !== git?.commit) {
      await say(
        context,
        `This work tree is at another commit than the session: ${tree.commit.slice(0, 12)}`,
      );
    }
    return { directory, text: `The session continues in ${directory}` };
  }
  const commit = git.commit.slice(0, 12);
  if (tree === undefined || !await hasCommit(folder, git.commit)) {
    const place = git.remote === undefined ? "the session's repository" : git.remote;
    const reason = tree === undefined
      ? `the current directory is not in a git repository. Run this in a clone of ${place}`
      : `commit ${commit} is not in this repository. If this is a clone of ${place}: git fetch`;
    const message =
      `Cannot take the sent session: ${reason}\nTo continue in this directory as it is: --here`;
    throw new SessionError("not-found", message, { path: context.cwd });
  }
  const path = newWorkTreePath(tree.top, id);
  const branch = git.branch === undefined ? "" : ` (${git.branch})`;
  return {
    directory: path,
    text: `The session continues at commit ${commit}${branch}, in a new git work tree: ${path}`,
    add: () => addWorkTree({ ...folder, cwd: tree.top }, path, git),
  };
}

/** Returns the files in folders that the patch would turn into git repositories. */
async function unsafeNames(directory: string, files: readonly NotedFile[]): Promise<Set<string>> {
  const { namesInRepositories } = await import("../lib/features/blame/files/repository_guard.ts");
  return namesInRepositories(directory, files.map(({ name }) => name));
}
