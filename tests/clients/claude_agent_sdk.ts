/**
 * The Claude Agent SDK itself on our session store: `deno task test:clients`. The SDK comes from npm
 * without its programs of 240 MB, which only a query to a model needs; where npm cannot be reached,
 * the tests are skipped.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ClaudeSessionStore, claudeSessionStore } from "../../lib/features/adapters/mod.ts";
import { ROOT } from "../_support/source_code.ts";
import { withStore } from "../_support/temp_directory.ts";
import { install } from "./resume/npm_client.ts";

const VERSION = "0.3.330";
/** What the SDK exports, as far as it works on a store without asking a model. */
interface Sdk {
  InMemorySessionStore: new () => ClaudeSessionStore;
  importSessionToStore(id: string, store: unknown, options: { dir: string }): Promise<void>;
  listSessions(options: Options): Promise<{ sessionId: string; summary: string }[]>;
  getSessionInfo(id: string, options: Options): Promise<Record<string, unknown> | undefined>;
  getSessionMessages(id: string, options: Options): Promise<unknown[]>;
  listSubagents(id: string, options: Options): Promise<string[]>;
  getSubagentMessages(id: string, agent: string, options: Options): Promise<unknown[]>;
  renameSession(id: string, title: string, options: Options): Promise<void>;
  tagSession(id: string, tag: string, options: Options): Promise<void>;
  forkSession(id: string, options: Options): Promise<{ sessionId: string }>;
  deleteSession(id: string, options: Options): Promise<void>;
}

interface Options {
  dir: string;
  sessionStore: unknown;
}

const FOLDER = await install("@anthropic-ai/claude-agent-sdk", VERSION, [
  ...["--omit=optional", "--legacy-peer-deps", "--ignore-scripts"],
]);
const PACKAGE = join(FOLDER ?? "", "node_modules", "@anthropic-ai", "claude-agent-sdk");
const ignore = FOLDER === undefined;
const sdk: Sdk = ignore ? undefined : await import(pathToFileURL(join(PACKAGE, "sdk.mjs")).href);
const ID = "0b9d5c46-5f5c-4b8f-9d0e-2f6f6a3a1b11";

/** A transcript as Claude Code writes it. */
function transcript(cwd: string, agent?: string): string {
  const said = [["user", "What is in a.ts?"], ["assistant", "A test."], ["user", "Thanks"]];
  const uuids = said.map(() => crypto.randomUUID());
  const lines = said.map(([role = "", text], index) => ({
    parentUuid: uuids[index - 1] ?? null,
    isSidechain: agent !== undefined,
    ...(agent === undefined ? {} : { agentId: agent }),
    userType: "external",
    cwd,
    sessionId: ID,
    version: "2.1.0",
    gitBranch: "main",
    type: role,
    message: role === "user"
      ? { role, content: text }
      : { id: "msg_1", type: "message", role, model: "claude", content: [{ type: "text", text }] },
    uuid: uuids[index],
    timestamp: `2026-01-01T10:00:0${index}.000Z`,
  }));
  const title = { type: "custom-title", customTitle: "A test", sessionId: ID };
  return [...lines, title].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** All that the SDK says of a store that it has worked on. */
async function worked(store: ClaudeSessionStore, dir: string): Promise<unknown[]> {
  const options = { dir, sessionStore: store };
  await sdk.importSessionToStore(ID, store, { dir });
  await sdk.importSessionToStore(ID, store, { dir });
  const said: unknown[] = [
    await sdk.getSessionMessages(ID, options),
    await sdk.listSubagents(ID, options),
    await sdk.getSubagentMessages(ID, "one", options),
  ];
  await sdk.renameSession(ID, "Renamed", options);
  await sdk.tagSession(ID, "mine", options);
  const { lastModified: _now, fileSize: _size, ...info } = await sdk.getSessionInfo(ID, options) ??
    {};
  said.push(info, (await sdk.listSessions(options)).map(({ summary }) => summary));
  const fork = await sdk.forkSession(ID, options);
  said.push((await sdk.getSessionMessages(fork.sessionId, options)).length);
  await sdk.deleteSession(ID, options);
  said.push(await sdk.getSessionMessages(ID, options), (await sdk.listSessions(options)).length);
  return said;
}

Deno.test({
  name: "the Claude Agent SDK finds in our store what it finds in its own",
  ignore,
  fn: async () => {
    await withStore(async (store, directory) => {
      const dir = join(directory, "project");
      Deno.mkdirSync(dir);
      Deno.env.set("CLAUDE_CONFIG_DIR", directory);
      const project = join(directory, "projects", dir.replaceAll(/[^a-zA-Z0-9]/g, "-"));
      Deno.mkdirSync(join(project, ID, "subagents"), { recursive: true });
      Deno.writeTextFileSync(join(project, `${ID}.jsonl`), transcript(dir));
      const aside = join(project, ID, "subagents", "agent-one.jsonl");
      Deno.writeTextFileSync(aside, transcript(dir, "one"));
      await using ours = claudeSessionStore(store);
      const theirs = new sdk.InMemorySessionStore();
      const [mine, other] = [await worked(ours, dir), await worked(theirs, dir)];
      assert.equal((mine[0] as unknown[]).length, 3);
      assert.deepEqual(mine[1], ["one"]);
      assert.deepEqual(mine, other);
    });
  },
});

Deno.test({
  name: "our store is a SessionStore by the SDK's own types",
  ignore,
  fn: async () => {
    await withStore(async (_store, directory) => {
      const types = Deno.readTextFileSync(join(PACKAGE, "sdk.d.ts"));
      const wanted = ["SessionKey", "SessionStoreEntry", "SessionSummaryEntry", "SessionStore"];
      const declared = wanted.map((name) => {
        const [text] =
          new RegExp(`^export declare type ${name} = \\{[^]*?^\\};`, "m").exec(types) ??
            [];
        assert.ok(text, name);
        return text;
      });
      const path = join(directory, "check.ts");
      const ours = new URL("lib/features/adapters/mod.ts", ROOT).href;
      const code = `import { claudeSessionStore } from "${ours}";\n${declared.join("\n")}\n` +
        `export const made: (...given: Parameters<typeof claudeSessionStore>) => SessionStore =\n` +
        `  claudeSessionStore;\n`;
      Deno.writeTextFileSync(path, code);
      const { success, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["check", "--no-lock", path],
      }).output();
      assert.ok(success, new TextDecoder().decode(stderr));
    });
  },
});
