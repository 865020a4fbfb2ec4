/** The types of the bundle, as a program finds them that imports it from a URL. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CliHome } from "../_support/cli_home.ts";
import { runDeno, ServedFiles } from "../_support/served_files.ts";
import { ROOT } from "../_support/source_code.ts";

const PROGRAM = `
import { openStore, type Store } from "URL/mod.js";
import { openLibrary } from "URL/library.js";
import { openLocalStore, type LocalStore } from "URL/store.js";
import { readEvents } from "URL/pipeline.js";
import type { OpenAiMessage } from "URL/shapes.js";
import { exportDocument } from "URL/export.js";
import { agentsSession } from "URL/adapters.js";
import { searchSessions } from "URL/search.js";
export const kept: Store = openStore();
export const message: OpenAiMessage = { role: "user", content: "Hi" };
const store: LocalStore = openLocalStore();
export const root: string = store.root;
export const all = [
  openLibrary,
  searchSessions,
  readEvents,
  exportDocument,
  agentsSession,
];
`;

Deno.test("modules of the bundle have types, and a wrong use is found", async () => {
  const folder = await Deno.makeTempDir();
  await using home = new CliHome();
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "-A", "--lock=tests/deno.lock", "--frozen", ".ci/bundle.ts", folder],
      cwd: fileURLToPath(ROOT),
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    await using served = new ServedFiles(folder, /^\/[\w-]+(?:\.js|\.d\.ts)$/);
    const path = join(home.work, "program.ts");
    const check = ["check", "--quiet", `--allow-import=${served.host}`, path];
    const program = PROGRAM.replaceAll("URL", served.url);
    await Deno.writeTextFile(path, program);
    assert.deepEqual(await runDeno(home, check), { success: true, stdout: "", stderr: "" });
    // The modules, their types, and what types share.
    const modules = [...program.matchAll(/ from "/g)].length;
    assert.equal(served.asked.length, 2 * modules + 1, served.asked.join(" "));
    await Deno.writeTextFile(path, program.replace("root: string", "root: number"));
    assert.match(
      (await runDeno(home, check)).stderr,
      /'string' is not assignable to type 'number'/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
