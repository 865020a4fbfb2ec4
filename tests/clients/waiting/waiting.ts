/**
 * Whether Reprise names what real clients wait for: each runs in a terminal, with a scripted model
 * that runs a command, or asks its user. `deno test -A tests/clients/waiting/waiting.ts`.
 */
import assert from "node:assert/strict";
import type { Wait } from "../../../lib/core/projection/attention.ts";
import { type Library, openLibrary } from "../../../lib/library/library.ts";
import { RunningSessions } from "../../../lib/library/running/running_sessions.ts";
import { CliHome } from "../../_support/cli_home.ts";
import { removedHome } from "../removed_home.ts";
import { eventually } from "../../_support/eventually.ts";
import { HAS_TERMINAL, Terminal } from "../../commands/_terminal.ts";
import { claude } from "../resume/client/claude.ts";
import { codex } from "../resume/client/codex.ts";
import { gemini } from "../resume/client/gemini.ts";
import { opencode } from "../resume/client/opencode.ts";
import { qwen } from "../resume/client/qwen.ts";
import { installClient, type NpmClient } from "../resume/npm_client.ts";
import type { ScriptedCall } from "../resume/scripted_answers.ts";
import { ScriptedServer } from "../resume/scripted_server.ts";

/** A client in a terminal. */
interface Waiting {
  client: NpmClient;
  /** Writes settings with which it asks before it runs a command. */
  setUp(home: string, cwd: string): void;
  /** Its arguments for a prompt. */
  args(prompt: string): string[];
  /** What its model calls to ask the user. */
  asks?: ScriptedCall;
  /** True where the agent's own record says that it waits: else a silent call tells. */
  tells?: boolean;
  /** True where no record tells of a call that is open. */
  hides_calls?: boolean;
  /** What its model calls to run a command that needs permission. @default {the usual call} */
  runs?: ScriptedCall;
}

const COMMAND = "touch waiting-for-permission";
const QUESTIONS = [{
  ...{ id: "port", header: "Port", question: "Which port?", multiSelect: false },
  options: [{ label: "80", description: "The usual one" }, {
    label: "8080",
    description: "The other",
  }],
}];

function write(path: string, value: unknown): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
}

const CLIENTS: readonly Waiting[] = [
  {
    client: claude,
    setUp(home, cwd): void {
      const projects = { [cwd]: { hasTrustDialogAccepted: true, projectOnboardingSeenCount: 9 } };
      const customApiKeyResponses = { approved: ["sk-ant-dummy"], rejected: [] };
      const more = { hasCompletedOnboarding: true, theme: "dark" };
      write(`${home}/.claude.json`, { ...more, projects, customApiKeyResponses });
    },
    args: (prompt) => ["--permission-mode", "default", prompt],
    asks: { name: "AskUserQuestion", input: { questions: QUESTIONS } },
    tells: true,
  },
  {
    client: codex,
    setUp(home, cwd): void {
      const path = `${home}/.codex/config.toml`;
      const settings = Deno.readTextFileSync(path).replace('"never"', '"on-request"')
        .replace('"danger-full-access"', '"read-only"');
      write(path, `${settings}\n[projects."${cwd}"]\ntrust_level = "trusted"\n`);
    },
    args: (prompt) => [prompt],
    runs: {
      name: "exec_command",
      input: { cmd: COMMAND, sandbox_permissions: "require_escalated", justification: "It writes" },
    },
  },
  {
    client: gemini,
    setUp(): void {},
    args: (prompt) => ["-m", "gemini-2.5-pro", "-i", prompt],
    hides_calls: true,
    asks: {
      name: "ask_user",
      input: { questions: QUESTIONS.map((one) => ({ ...one, type: "choice" })) },
    },
  },
  {
    client: qwen,
    setUp(): void {},
    args: (prompt) => ["-i", prompt],
    asks: { name: "ask_user_question", input: { questions: QUESTIONS } },
  },
  {
    client: opencode,
    setUp(home): void {
      const path = `${home}/.config/opencode/opencode.json`;
      const settings = JSON.parse(Deno.readTextFileSync(path));
      write(path, { ...settings, model: "mock/mock-1", permission: { bash: "ask" } });
    },
    args: (prompt) => ["--prompt", prompt],
    asks: { name: "question", input: { questions: QUESTIONS } },
  },
];

/** What `watch` would say, for the error of a test. */
async function lookText(home: CliHome): Promise<string> {
  const found = await new RunningSessions(libraryOf(home)).look();
  return JSON.stringify(found.map(({ row: { ref, status }, activity, attention }) => ({
    ...{ ref, status, activity, attention },
  })));
}

function libraryOf(home: CliHome): Library {
  return openLibrary({
    root: `${home.path}/reprise`,
    variable: (name) => name === "HOME" ? home.path : undefined,
  });
}

async function waitOf(home: CliHome): Promise<Wait | undefined> {
  const found = await new RunningSessions(libraryOf(home)).look();
  return found[0]?.attention.wait;
}

for (const { client, setUp, args, asks, tells = false, hides_calls, runs } of CLIENTS) {
  for (const asked of ["permission", "question"] as const) {
    if (asked === "question" && asks === undefined) continue;
    Deno.test({
      name: `${client.agent} ${client.version} waits for ${asked}`,
      ignore: !HAS_TERMINAL,
      fn: async () => {
        const command = await installClient(client);
        if (command === undefined) return;
        const home = new CliHome();
        await using _removed = removedHome(home);
        const call = asked === "question" ? asks! : runs ?? client.shell(COMMAND);
        await using server = new ScriptedServer({ shell: client.shell, recall: () => [call] });
        const place = { home: home.path, cwd: home.work, url: server.url };
        client.setUp(place);
        setUp(home.path, home.work);
        const env = Object.entries({ ...client.env(place), PATH: command.path })
          .map(([name, value]) => `export ${name}='${value}'`).join("\n");
        const words = [command.program, ...args("step:recalled")].map((word) => `'${word}'`);
        const script = `${env}\nexport HOME='${home.path}'\n${words.join(" ")}`;
        await using terminal = await Terminal.open(home, script, { columns: 100, rows: 40 });
        const seen = { text: "" };
        const wait = await eventually(
          async () => {
            seen.text = `${await terminal.screen()}\n${await lookText(home)}`;
            return await waitOf(home);
          },
          () => seen.text,
        );
        const expected = hides_calls
          ? { kind: "input", text: "", certain: false }
          : asked === "question"
          ? { kind: "question", text: "Which port?", certain: true }
          : { kind: "permission", text: "", certain: tells };
        assert.deepEqual(wait, expected, seen.text);
      },
    });
  }
}
