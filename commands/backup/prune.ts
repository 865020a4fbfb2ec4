/** `reprise backup prune` */
import type { PrunedBackup } from "../../lib/features/backup/prune_backups.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { defineCommand } from "../_command.ts";
import { printJson, say } from "../_message.ts";
import { agentsOf } from "../_scope.ts";
import { AGENTS_LINE, otherAgents } from "../_scope_flags.ts";
import { contextStore } from "../_store.ts";
import { parseAge, parseCount } from "../_values.ts";

export const pruneBackupsCommand = defineCommand({
  summary: "remove old backups, and compress the others",
  description:
    "Remove old backups with --keep and --older-than, and compress the other backups. The newest " +
    "backup of each session is never removed. It is compressed only if the agent deleted the " +
    "session. Without --write, only show what would change.",
  flags: {
    "--keep <number>": {
      help: "keep this many backup versions of each session",
      parse: parseCount,
    },
    "--older-than <time>": {
      help: "remove backup versions made before this time: 90d, 8w, or a date",
      parse: parseAge,
    },
    "--agent <name>": {
      help: "only backups of this agent",
      get choices(): readonly string[] {
        return otherAgents();
      },
      see: AGENTS_LINE,
    },
    "--write": "write the changes",
    "--json": "print each session as one line of JSON",
  },
  examples: [
    "reprise backup prune --keep 3",
    "reprise backup prune --older-than 90d --write",
  ],
  run: async (context, { keep, olderThan: before, agent, write: written = false, json }) => {
    const [{ pruneBackups }, { formatBytes }, { sanitizeLine }] = await Promise.all([
      import("../../lib/features/backup/prune_backups.ts"),
      import("../../lib/text/render/byte_size.ts"),
      import("../../lib/text/render/sanitize.ts"),
    ]);
    const { root } = contextStore(context);
    const dry = !written;
    const options = { agents: agentsOf(agent), keep, before, dry, now: context.now() };
    const all: PrunedBackup[] = [];
    for await (const one of pruneBackups(root, options)) {
      all.push(one);
      if (json) await printJson(context, one);
      else await say(context, `${sanitizeLine(one.ref)}: ${outcomeOf(one, formatBytes)}`);
    }
    if (all.length === 0) return await say(context, "Nothing to remove or compress");
    const total = (size: (one: PrunedBackup) => number): string =>
      formatBytes(all.reduce((sum, one) => sum + size(one), 0));
    await say(
      context,
      dry
        ? `Would remove or compress old backups of ${counted(all.length, "session")} (${
          total((one) => one.before_bytes)
        } in all). To do it: --write`
        : `Removed or compressed old backups of ${counted(all.length, "session")}: ` +
          `${total((one) => one.before_bytes)} before, ` +
          `${total((one) => one.after_bytes ?? one.before_bytes)} now`,
    );
  },
});

function outcomeOf(
  { removed, packed, before_bytes, after_bytes }: PrunedBackup,
  formatBytes: (bytes: number) => string,
): string {
  const done = after_bytes !== undefined;
  const [first, last] = [removed[0], removed.at(-1)];
  const numbers = removed.length === 1 ? `generation ${first}` : `generations ${first} to ${last}`;
  const steps = [
    ...(removed.length === 0 ? [] : [`${done ? "removed" : "would remove"} ${numbers}`]),
    ...(packed === 0 ? [] : [`${done ? "compressed" : "would compress"} ${formatBytes(packed)}`]),
  ];
  const sizes = done ? `; from ${formatBytes(before_bytes)} to ${formatBytes(after_bytes)}` : "";
  return `${steps.join(", ") || "leftovers of a killed process"}${sizes}`;
}
