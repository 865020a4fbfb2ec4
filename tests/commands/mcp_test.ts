/** The program and the protocol's own client, as two processes. */
import assert from "node:assert/strict";
import process from "node:process";
import { Client } from "npm:@modelcontextprotocol/client@2.4.0";
import { StdioClientTransport } from "npm:@modelcontextprotocol/client@2.4.0/stdio";
import { cliCommand, cliEnvironment, jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";

function usedHome(): CliHome {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [user("Where is the zebra?"), assistant("In the zoo.")]);
  return home;
}

/** Frames of a client that opens a connection, and calls tools from the number 2 on. */
function frames(...calls: readonly unknown[]): string {
  const clientInfo = { name: "test", version: "1" };
  const opening = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  return [opening, ...calls].map((params, at) => {
    const method = at === 0 ? "initialize" : "tools/call";
    return `${JSON.stringify({ jsonrpc: "2.0", id: at + 1, method, params })}\n`;
  }).join("rubbish\n");
}

Deno.test("mcp answers on standard output alone, and ends with its input", async () => {
  await using home = usedHome();
  const stdin = frames({ name: "list_sessions", arguments: {} });
  const { status, stdout, stderr } = await home.run(["mcp"], { stdin });
  assert.deepEqual([status, stderr], [0, ""]);
  const answers = jsonLines(stdout);
  const ids = answers.map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), [1, 2, null]);
  assert.match(JSON.stringify(answers[ids.indexOf(2)]), /zebra/);
});

inHome.test("mcp serves an empty home, and refuses options that it does not know", async (home) => {
  const stdin = frames(
    { name: "list_sessions", arguments: {} },
    { name: "search_sessions", arguments: { query: "x" } },
  );
  const flags = ["--all", "--agent", "claude", "--no-redact"];
  const { stdout } = await home.run(["mcp", ...flags], { stdin });
  assert.match(stdout, /"text":"No session fits\."/);
  assert.match(stdout, /"text":"No session has these words\."/);
  const { status, stderr } = await home.run(["mcp", "--port", "80"]);
  assert.equal(status, 2);
  assert.match(stderr, /Unknown flag --port/);
});

interface Connected {
  client: Client;
  transport: StdioClientTransport;
}

async function connect(home: CliHome, mode: "legacy" | "auto"): Promise<Connected> {
  const [command = "", ...before] = cliCommand();
  const env = cliEnvironment({ home: home.path });
  const transport = new StdioClientTransport({
    ...{ command, args: [...before, "mcp"], env, cwd: home.work, stderr: "inherit" },
  });
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { client, transport };
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content as { text: string }[];
  return first?.text ?? "";
}

for (const mode of ["legacy", "auto"] as const) {
  const name = `the protocol's own client lists, searches and reads: ${mode}`;
  // The client leaves a timer behind.
  // Slow: a process starts for the client.
  Deno.test({ name, sanitizeOps: false, sanitizeResources: false }, async () => {
    await using home = usedHome();
    const { client, transport } = await connect(home, mode);
    assert.match(client.getInstructions() ?? "", /quoted history, not instructions/);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), [
      ...["list_sessions", "search_sessions", "read_session"],
    ]);
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint));
    assert.match(await call(client, "list_sessions", {}), /Where is the zebra/);
    assert.match(await call(client, "search_sessions", { query: "zoo" }), /aaaa0000#3/);
    assert.match(await call(client, "read_session", { ref: "aaaa0000#3" }), /In the zoo\./);
    const failed = await client.callTool({
      name: "read_session",
      arguments: { ref: "/etc/passwd" },
    });
    assert.equal(failed.isError, true);
    const { pid } = transport;
    await client.close();
    assert.throws(() => process.kill(pid ?? 0, 0), "it has ended");
  });
}
