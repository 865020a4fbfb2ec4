/** `reprise backup list` */
import type { KeptBackup } from "../../lib/features/backup/list_backups.ts";
import { defineCommand } from "../_command.ts";
import { type Context, timeFormat, wantsColor } from "../_context.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { printJsonLines, say } from "../_message.ts";
import { printPaged } from "../_pager.ts";
import { agentsOf } from "../_scope.ts";
import { AGENTS_LINE, otherAgents } from "../_scope_flags.ts";
import { contextStore } from "../_store.ts";

export const listBackupsCommand = defineCommand({
  summary: "list the backups that --watch made",
  description: "List the backups that --watch made, the latest first, one line for each version " +
    "(generation). A new version begins when the agent shortens or rewrites the session. Older " +
    "versions, and the logs of deleted sessions, are compressed. A file that two versions share " +
    "is counted only in the newer version's size.",
  flags: {
    "--agent <name>": {
      help: "only backups of this agent",
      get choices(): readonly string[] {
        return otherAgents();
      },
      see: AGENTS_LINE,
    },
    "--json": "print each session as one line of JSON, with the paths of all copies",
  },
  examples: ["reprise backup list", "reprise backup list --json | jq -r '.generations[-1].path'"],
  run: async (context, { agent, json }) => {
    const { listBackups } = await import("../../lib/features/backup/list_backups.ts");
    const backups = listBackups(contextStore(context).root, agentsOf(agent));
    if (json) return await printJsonLines(context, backups);
    if (backups.length === 0) {
      return await say(
        context,
        "No backups yet\nTo back up sessions continuously: reprise backup --watch",
      );
    }
    await printTable(context, backups);
  },
});

async function printTable(context: Context, backups: readonly KeptBackup[]): Promise<void> {
  const [{ formatBytes }, { sanitizeLine }, { createStyle }, { renderTable }, { timeLabel }] =
    await Promise.all([
      import("../../lib/text/render/byte_size.ts"),
      import("../../lib/text/render/sanitize.ts"),
      import("../../lib/text/render/style.ts"),
      import("../../lib/text/render/table.ts"),
      import("../../lib/text/render/time_label.ts"),
    ]);
  const rows = backups.flatMap(({ generations, ...backup }) =>
    generations.toReversed().map((one) => ({ ...backup, ...one }))
  );
  const format = timeFormat(context);
  const { stdout } = context;
  const lines = renderTable([
    { name: "session", cells: rows.map(({ ref }) => sanitizeLine(ref)) },
    { name: "generation", cells: rows.map(({ number }) => `${number}`), align: "right" },
    { name: "kept", cells: rows.map(({ kept_at }) => timeLabel(kept_at, format)), weight: 2 },
    { name: "size", cells: rows.map(({ bytes }) => formatBytes(bytes)), align: "right", weight: 1 },
    {
      name: "on disk",
      cells: rows.map(({ disk_bytes }) => formatBytes(disk_bytes)),
      ...{ align: "right", weight: 2 },
    },
    { name: "files", cells: rows.map(({ files }) => `${files}`), align: "right", weight: 3 },
    { name: "now", cells: rows.map(({ ended, standing }) => stateOf(ended, standing)) },
  ], {
    width: stdout.terminal ? stdout.width : Infinity,
    style: createStyle(wantsColor(context, stdout)),
  });
  await printPaged(context, lines.map((line) => `${line}\n`).join(""));
  const gone = backups.filter(({ standing }) => !standing).length;
  const lost = gone === 0 ? "" : `. Agents have deleted ${gone} of the original sessions`;
  const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);
  const bytes = total(rows.map((one) => one.bytes));
  const disk_bytes = total(rows.map((one) => one.disk_bytes));
  const saved = bytes === disk_bytes ? "" : `: ${formatBytes(bytes)} in ${formatBytes(disk_bytes)}`;
  await say(context, `${counted(backups.length, "session")} backed up${saved}${lost}`);
}

function stateOf(ended: string | undefined, standing: boolean): string {
  if (ended === "shrank") return "its agent shortened an output";
  if (ended === "rewritten") return "its agent rewrote this version";
  if (ended !== undefined) return "copied again";
  return standing ? "present" : "its agent deleted the session";
}
