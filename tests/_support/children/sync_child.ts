/** Pushes or pulls once: ROOT DIRECTORY URL DEVICE FORM ACT. Prints the report, or the error's line. */
import { openLibrary } from "../../../lib/library/library.ts";
import { openDatabaseTeam } from "../database_team.ts";
import { pull } from "../../../lib/features/team/pull/pull.ts";
import { push } from "../../../lib/features/team/push/push.ts";
import type { SyncSettings } from "../../../lib/features/team/shared_project.ts";

const [root = "", directory = "", url = "", id = "", form = "log", act = "push"] = Deno.args;
const settings: SyncSettings = {
  ...{ version: 1, url: "", device: { id, label: id.slice(0, 4) } },
  projects: [{
    ...{ directory, project: "example.org/app", visible: "team" },
    form: form === "copy" ? "copy" : "log",
  }],
};
try {
  await using store = await openDatabaseTeam(url);
  const library = openLibrary({ root, variable: () => undefined });
  const report = act === "push"
    ? await push(library, store, settings)
    : await pull(library, store, settings);
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(report)}\n`));
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
  Deno.exitCode = 1;
}
