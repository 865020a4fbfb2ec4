/**
 * Whether the texts of hooks reach the models of real clients, as `reprise setup` installs them. Each
 * client works twice in a project, and compacts. `deno test -A tests/clients/recall/recall.ts`.
 */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cliCommand } from "../../_support/cli.ts";
import { CliHome } from "../../_support/cli_home.ts";
import { removedHome } from "../removed_home.ts";
import { claude } from "../resume/client/claude.ts";
import { codex } from "../resume/client/codex.ts";
import { copilot } from "../resume/client/copilot.ts";
import { gemini } from "../resume/client/gemini.ts";
import { opencode } from "../resume/client/opencode.ts";
import { pi } from "../resume/client/pi.ts";
import { qwen } from "../resume/client/qwen.ts";
import { installClient, type NpmClient, type Place, RunningClient } from "../resume/npm_client.ts";
import { ScriptedServer } from "../resume/scripted_server.ts";

/** A client with hooks. */
interface Recalling {
  client: NpmClient;
  /** Arguments with which it runs hooks that nobody has looked at. */
  trusts?(args: string[]): string[];
  /** Makes it compact by itself, where nothing else does. */
  compacts?(place: Place): void;
  /** Compacts, and says a prompt in the same process, where only that one knows of both. */
  goesOn?(id: string, prompt: string, start: (args: string[]) => RunningClient): Promise<void>;
  /** The last prompt. @default {one with a single answer} */
  last?: string;
  /** False for a client that takes no text after a compaction. */
  tells_compaction: boolean;
}

const CLIENTS: readonly Recalling[] = [
  { client: claude, tells_compaction: true },
  {
    client: codex,
    trusts: ([word = "", ...args]) => [word, "--dangerously-bypass-hook-trust", ...args],
    compacts({ home }): void {
      const path = join(home, ".codex", "config.toml");
      const limit = "model_auto_compact_token_limit = 100\n";
      writeFileSync(path, limit + Deno.readTextFileSync(path));
    },
    tells_compaction: true,
  },
  { client: gemini, tells_compaction: false },
  {
    client: qwen,
    // It goes on while the hook runs: a later request of the turn has the text.
    compacts({ home }): void {
      const path = join(home, ".qwen", "settings.json");
      const { model, ...settings } = JSON.parse(Deno.readTextFileSync(path));
      const generationConfig = { ...model.generationConfig, contextWindowSize: 24_000 };
      const context = { autoCompactThreshold: 0.5 };
      writeFileSync(path, JSON.stringify({ ...settings, context, model: { generationConfig } }));
    },
    last: "And now: step:failing",
    tells_compaction: true,
  },
  { client: copilot, tells_compaction: false },
  {
    client: opencode,
    async goesOn(id, prompt, start): Promise<void> {
      const server = start(["serve", "--port", "0", "--hostname", "127.0.0.1"]);
      const url = await server.until(/listening on (http:\S+)/);
      const model = { providerID: "mock", modelID: "mock-1" };
      const parts = [{ type: "text", text: prompt }];
      for (const [path, body] of [["summarize", model], ["message", { model, parts }]] as const) {
        const response = await fetch(`${url}/session/${id}/${path}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(60_000),
        });
        await response.text();
      }
      await server.stop();
    },
    tells_compaction: true,
  },
  { client: pi, tells_compaction: true },
];

const START = "Last session of this project: ";
const COMPACTED = "The compaction dropped this";

/** A program `reprise` on the `PATH` of clients, which runs this source. */
function putProgram(home: string): string {
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  const words = cliCommand().map((word) => `'${word}'`).join(" ");
  const set = `export DENO_DIR='${
    Deno.env.get("DENO_DIR") ?? denoDirectory()
  }' DENO_NO_UPDATE_CHECK=1`;
  writeFileSync(join(bin, "reprise"), `#!/bin/sh\n${set}\nexec ${words} "$@"\n`);
  chmodSync(join(bin, "reprise"), 0o755);
  return bin;
}

function denoDirectory(): string {
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

for (
  const { client, trusts = (args: string[]) => args, compacts, goesOn, ...more } of CLIENTS
) {
  const { last = "And now: step:plain", tells_compaction } = more;
  Deno.test(`the model of ${client.agent} ${client.version} gets the texts of hooks`, async () => {
    const command = await installClient(client);
    if (command === undefined) return;
    const home = new CliHome();
    await using _removed = removedHome(home);
    await using server = new ScriptedServer({ shell: client.shell });
    const place = { home: home.path, cwd: home.work, url: server.url };
    client.setUp(place);
    const bin = putProgram(home.path);
    const path = `${bin}:${command.path}`;
    const start = (args: string[], talks = false): RunningClient =>
      new RunningClient(client, { ...command, path }, place, trusts(args), talks);
    const run = async (prompt: string | undefined, id?: string): Promise<string[]> => {
      const before = server.asked.length;
      const args = client.args({ ...prompt === undefined ? {} : { prompt }, ...id ? { id } : {} });
      const { output } = await start(args ?? assert.fail()).ended;
      const asked = server.asked.slice(before).map(({ body }) => JSON.stringify(body));
      assert.ok(asked.length > 0, output);
      return asked;
    };
    const has = (asked: readonly string[], text: string): boolean =>
      asked.some((one) => one.includes(text));
    await run("Say it plainly: step:plain");
    await home.succeed(["setup", "--write"], { env: { PATH: bin }, process: true });
    // The second session is told of the first, and not of itself.
    const second = await run("Try it: step:failing");
    assert.ok(has(second, START), second[0]?.slice(0, 4000));
    assert.ok(has(second, "Say it plainly: step:plain"));
    assert.equal(has(second, "Its last prompt: Try it"), false);
    if (!tells_compaction) return;
    const { stdout } = await home.succeed(["list", "--json", "--agent", client.agent, "-n", "1"]);
    const id = JSON.parse(stdout.split("\n")[0] ?? "").session_id;
    const before = server.asked.length;
    compacts?.(place);
    if (goesOn !== undefined) await goesOn(id, last, (args) => start(args));
    else if (client.compact !== undefined && compacts === undefined) {
      await client.compact(place, id, (args) => start(args, true));
    } else if (compacts === undefined) await run(undefined, id);
    if (goesOn === undefined) await run(last, id);
    const third = server.asked.slice(before).map(({ body }) => JSON.stringify(body));
    assert.ok(has(third, COMPACTED), third.join("\n").slice(0, 6000));
    assert.ok(has(third, `reprise context ${client.agent}:${id} --dropped`));
    assert.ok(has(third, "What the user asked for:") || has(third, "Calls that failed:"));
  });
}
