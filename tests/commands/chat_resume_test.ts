/** A chat continues sessions of other agents, none, and one whose work tree moved. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "../../mod.ts";
import { fixture } from "../agents/codex/_codex_home.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { ModelServer } from "../_support/model_servers.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { conversationOf, openChat, readyChat, rebuilt, type } from "./_chat_terminal.ts";
import { atTerminal, TERMINAL } from "./_terminal.ts";
import { needing, program } from "../_support/needing.ts";

const MOCK = ["--model", "mock"];

/** Puts a session where Codex keeps its own. */
function keepCodexSession(home: CliHome): { id: string; path: string } {
  const id = "0199aaaa-0000-7000-8000-000000000011";
  const folder = join(home.path, ".codex", "sessions", "2026", "03", "01");
  Deno.mkdirSync(folder, { recursive: true });
  const path = join(folder, `rollout-2026-03-01T09-00-00-${id}.jsonl`);
  Deno.copyFileSync(fixture("tools.jsonl"), path);
  return { id, path };
}

for (const by of ["reference", "path"] as const) {
  // Slow: a program in a terminal is answered key by key.
  atTerminal.test(`a session of Codex, by ${by}, is imported and gone on with, and is left as it was`, async (home) => {
    const { id, path } = keepCodexSession(home);
    const before = snapshot(join(home.path, ".codex"));
    await using server = new ModelServer("openai", [{ text: "Gone on with." }]);
    const ref = by === "path" ? path : `codex:${id.slice(0, 12)}`;
    await using terminal = await openChat(home, server, ["--resume", ref]);
    const replayed = await terminal.until(/Continuing session[^]*^>\s*$/m);
    assert.match(replayed, /Imported .*codex/);
    await type(terminal, "And now?");
    await terminal.until(/Gone on with\.[^]*^>\s*$/m);
    const [row] = await openStore({ root: home.store }).list();
    const all = await rebuilt(home, row?.session_id ?? "", "openai");
    const sent = conversationOf(server.bodies.at(-1)!);
    assert.deepEqual(sent, all.slice(0, -1));
    assert.ok(sent.length > 4 && JSON.stringify(sent).includes("tool_calls"));
    assert.deepEqual(snapshot(join(home.path, ".codex")), before);
    await type(terminal, "/quit");
    await terminal.until(/status=0/);
  });
}

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a reference that fits nothing, and a file that cannot be written, are told and no end", async (home) => {
  await using terminal = await readyChat(home, undefined, MOCK);
  await type(terminal, "/export");
  await terminal.until(/nothing to export yet/);
  await type(terminal, "/fork");
  await terminal.until(/nothing is saved yet/);
  await type(terminal, "Hello");
  await terminal.until(/You said: Hello[^]*^>\s*$/m);
  const [own] = await openStore({ root: home.store }).list();
  await type(terminal, `/resume ${own?.session_id.slice(0, 8).toUpperCase()}`);
  await terminal.until(/You are already in this session[^]*^>\s*$/m);
  await type(terminal, "/resume feedbeef");
  await terminal.until(/Cannot find session[^]*^>\s*$/m);
  await type(terminal, "/resume ./no/such.jsonl");
  await terminal.until(/such\.jsonl[^]*such\.jsonl[^]*^>\s*$/m);
  await type(terminal, "/export no/such/folder.md");
  await terminal.until(/Cannot write export[^]*folder\.md\s[^]*^>\s*$/m);
  await type(terminal, "/export talk.docx");
  await terminal.until(/the format is unknown[^]*talk\.docx[^]*^>\s*$/m);
  await type(terminal, "/export talk.md");
  await terminal.until(/Wrote .*talk\.md[^]*^>\s*$/m);
  await type(terminal, "/export talk.md");
  await terminal.until(/the file exists; give another name: talk\.md[^]*^>\s*$/m);
  await type(terminal, "Still here");
  await terminal.until(/You said: Still here[^]*^>\s*$/m);
  const [row] = await openStore({ root: home.store }).list();
  assert.equal(row?.message_count, 4);
});

// Slow: a program in a terminal is answered key by key.
Deno.test({
  ...needing(
    "a branch that has changed since is told after the replay, and once",
    TERMINAL,
    program("git"),
  ),
  async fn(): Promise<void> {
    await using home = new CliHome();
    const git = (...args: string[]): void => {
      const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
      const command = new Deno.Command("git", { args: [...identity, ...args], cwd: home.work });
      assert.ok(command.outputSync().success, args.join(" "));
    };
    git("init", "--quiet", "--initial-branch", "main");
    git("commit", "--quiet", "--allow-empty", "-m", "Begin");
    {
      await using terminal = await readyChat(home, undefined, MOCK);
      await type(terminal, "On main");
      await terminal.until(/You said: On main[^]*^>\s*$/m);
      await type(terminal, "/quit");
      await terminal.until(/status=0/);
    }
    git("checkout", "--quiet", "-b", "topic");
    await using terminal = await openChat(home, undefined, [...MOCK, "--continue"]);
    const screen = await terminal.until(/Continuing session[^]*^>\s*$/m);
    assert.match(
      screen,
      /You said: On main[^]*was on branch main, and is now on topic[^]*Continuing/,
    );
    await type(terminal, "On topic");
    await terminal.until(/You said: On topic[^]*^>\s*$/m);
    await type(terminal, "/status");
    assert.match(await terminal.until(/^Branch +topic/m), /branch main, and is now on topic/);
  },
});

atTerminal.test("without a model the chat says the three ways to set one, and ends with 1", async (home) => {
  home.keep(sessionId("aaaa"), [user("An older talk")]);
  // A port that nobody listens at.
  const env = { OLLAMA_HOST: "127.0.0.1:9" };
  await using terminal = await openChat(home, undefined, ["--continue"], { env });
  const screen = await terminal.until(/terminal as before/);
  assert.match(screen, /status=1/);
  assert.match(screen, /OPENAI_API_KEY[^]*ANTHROPIC_API_KEY[^]*Ollama[^]*--model mock/);
  const { status, stdout, stderr } = await home.run(["chat", "hi"], { env });
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /^reprise: Cannot choose a model/);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("--tools omit: the model gets the texts of before, and the calls of now", async (home) => {
  const call = { id: "c1", name: "read", input: { path: "old.txt" } };
  await Deno.writeTextFile(join(home.work, "old.txt"), "old content\n");
  await using server = new ModelServer("openai", [
    { text: "I look.", calls: [call] },
    { text: "It is old." },
    { calls: [call] },
    { text: "Still old." },
  ]);
  {
    await using terminal = await readyChat(home, server);
    await type(terminal, "Read it");
    await terminal.until(/It is old\.[^]*^>\s*$/m);
    await type(terminal, "/quit");
    await terminal.until(/status=0/);
  }
  await using terminal = await openChat(home, server, ["--continue", "--tools", "omit"]);
  const replayed = await terminal.until(/Continuing session[^]*^>\s*$/m);
  assert.match(replayed, /old content/, "the user sees all of it");
  await type(terminal, "Again");
  await terminal.until(/Still old\.[^]*^>\s*$/m);
  const [asked, after] = server.bodies.slice(-2).map(conversationOf);
  assert.deepEqual(asked, [
    { role: "user", content: "Read it" },
    { role: "assistant", content: "I look.\n\nIt is old." },
    { role: "user", content: "Again" },
  ]);
  assert.match(JSON.stringify(after?.slice(3)), /tool_calls[^]*old content/);
});
