/** What clients from npm list by themselves, in a directory. */
import { join, relative } from "node:path";
import { install, RunningClient } from "../resume/npm_client.ts";
import type { Stage } from "../resume/resumed_session.ts";

/** Returns a text in which the ids of all listed sessions are. */
export type OwnList = (stage: Stage) => Promise<string>;

const SDK = { name: "@anthropic-ai/claude-agent-sdk", version: "0.3.330" };

/** The lists by their agents. */
export const OWN_LISTS: Readonly<Record<string, OwnList>> = {
  pi: (stage) =>
    runModule(
      stage,
      join(stage.command.program, "../../@earendil-works/pi-coding-agent/dist/index.js"),
      "SessionManager.list(process.cwd())",
    ),
  // The program has no list without a screen. Its kit reads the same files.
  claude: async (stage) => {
    const folder = await install(SDK.name, SDK.version, [
      ...["--omit=optional", "--legacy-peer-deps", "--ignore-scripts"],
    ]);
    if (folder === undefined) throw new Error(`npm has no ${SDK.name} here`);
    const module = join(folder, "node_modules", SDK.name, "sdk.mjs");
    return await runModule(stage, module, "listSessions({ dir: process.cwd() })");
  },
  codex: codexThreads,
  opencode: opencodeSessions,
  gemini: (stage) => output(stage, ["--list-sessions"]),
};

async function output({ client, command, place }: Stage, args: string[]): Promise<string> {
  const { code, output } = await new RunningClient(client, command, place, args).ended;
  if (code !== 0) throw new Error(`${client.agent} ${args.join(" ")}: ${output.slice(0, 600)}`);
  return output;
}

/** Prints the value of a call to a module, under Node. */
async function runModule(stage: Stage, module: string, call: string): Promise<string> {
  const node = join(stage.command.path.split(":")[0] ?? "", "node");
  const name = /^\w+/.exec(call)?.[0];
  const source = `import { ${name} } from ${JSON.stringify(module)};\n` +
    `console.log(JSON.stringify(await ${call}));`;
  const args = ["--input-type=module", "--eval", source];
  return await output({ ...stage, command: { ...stage.command, program: node } }, args);
}

/** Lists as the program's own picker does: interactive threads of the provider in force. */
async function codexThreads({ client, command, place }: Stage): Promise<string> {
  const app = new RunningClient(client, command, place, ["app-server"], true);
  const ask = async (id: number, method: string, params: unknown): Promise<string> => {
    app.tell({ id, method, params });
    return await app.until(new RegExp(`("id":${id}\\b.*)\n`)) ?? "";
  };
  await ask(1, "initialize", { clientInfo: { name: "list", version: "1" } });
  app.tell({ method: "initialized" });
  const listed = await ask(2, "thread/list", {});
  await app.stop();
  return listed;
}

/** Asks as the program's own screen does: by the project, and the directory's path in it. */
async function opencodeSessions({ client, command, place }: Stage): Promise<string> {
  const args = ["serve", "--port", "0", "--hostname", "127.0.0.1"];
  const server = new RunningClient(client, command, place, args);
  const url = await server.until(/listening on (http:\S+)/);
  const get = async (path: string): Promise<Response> =>
    await fetch(`${url}${path}`, { signal: AbortSignal.timeout(60_000) });
  try {
    const { worktree, directory } = await (await get("/path")).json();
    const path = encodeURIComponent(relative(worktree, directory));
    return await (await get(`/session?path=${path}`)).text();
  } finally {
    await server.stop();
  }
}
