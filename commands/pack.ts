/** `reprise pack` */
import type { PackedSession } from "../lib/features/backup/pack_sessions.ts";
import { counted } from "../lib/core/event/counted.ts";
import { PACKING_AGENTS } from "../lib/library/machine/registry.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { printJson, say } from "./_message.ts";
import { parseAge } from "./_values.ts";

export const packCommand = defineCommand({
  description:
    "Compress the files of old sessions in a format that their agent can read. Codex 0.137 " +
    "or later lists and resumes such `.jsonl.zst` files. An original is removed only after " +
    "its hash was compared with the hash of the compressed content. The new file keeps the " +
    "modification time. Without --write, only show what would change.",
  arguments: [["<agent>", { help: "the agent that wrote the sessions", choices: PACKING_AGENTS }]],
  flags: {
    "--older-than <time>": {
      help: "only sessions last changed before this time: 30d, 8w, or a date",
      parse: parseAge,
    },
    "--undo": "decompress the sessions that `pack` compressed on this machine",
    "--write": "write the changes",
    "--json": "print each session as one line of JSON",
  },
  examples: [
    "reprise pack codex --older-than 30d",
    "reprise pack codex --older-than 30d --write",
    "reprise pack codex --undo --write",
  ],
  run: async (context, agent, { olderThan: before, undo, write: written = false, json }) => {
    if ((before === undefined) === (undo === undefined)) {
      throw new UsageError("Give either --older-than or --undo");
    }
    const { root, place: { environment } } = contextLibrary(context);
    const dry = !written;
    const outcomes = before === undefined
      ? (await import("../lib/features/backup/unpack_sessions.ts")).unpackSessions(agent, {
        root,
        dry,
      })
      : (await import("../lib/features/backup/pack_sessions.ts"))
        .packSessions(agent, { environment, root, before, dry });
    const all: PackedSession[] = [];
    for await (const one of outcomes) {
      all.push(one);
      if (json) await printJson(context, one);
      else await tell(context, one);
    }
    if (all.length === 0) {
      return await say(
        context,
        undo
          ? "No session was compressed on this machine"
          : "Nothing to compress: every session is newer than --older-than, or is compressed " +
            "already",
      );
    }
    await sumUp(context, all, dry);
    if (all.some(({ status }) => status === "left")) throw new CommandExit(STATUS.failed);
  },
});

const VERBS: Readonly<Record<PackedSession["status"], string>> = {
  ...{ "packed": "compressed", "would-pack": "would compress", "unpacked": "decompressed" },
  ...{ "would-unpack": "would decompress", "left": "unchanged" },
};

async function tell(context: Context, one: PackedSession): Promise<void> {
  const { ref, status, bytes, after_bytes, reason } = one;
  const [{ formatBytes }, { sanitizeLine }] = await Promise.all([
    import("../lib/text/render/byte_size.ts"),
    import("../lib/text/render/sanitize.ts"),
  ]);
  const outcome = after_bytes === undefined
    ? sanitizeLine(reason ?? "")
    : `${formatBytes(bytes)} to ${formatBytes(after_bytes)}`;
  await say(context, `${sanitizeLine(ref)}: ${VERBS[status]}: ${outcome}`);
}

async function sumUp(
  context: Context,
  all: readonly PackedSession[],
  dry: boolean,
): Promise<void> {
  const { formatBytes } = await import("../lib/text/render/byte_size.ts");
  const done = all.filter(({ status }) => status !== "left");
  if (done.length === 0) return await say(context, "Nothing was changed");
  const before = formatBytes(done.reduce((sum, { bytes }) => sum + bytes, 0));
  const after = formatBytes(done.reduce((sum, { after_bytes = 0 }) => sum + after_bytes, 0));
  const sessions = counted(done.length, "session");
  await say(
    context,
    dry
      ? `Would change ${sessions}: ${before} to ${after}. To make this change: --write`
      : `Changed ${sessions}: from ${before} to ${after}`,
  );
}
