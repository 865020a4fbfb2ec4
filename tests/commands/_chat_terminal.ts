/** A chat in a real terminal, against a model server on loopback. */
import { join } from "node:path";
import { openStore, toMessages } from "../../mod.ts";
import type { CliHome } from "../_support/cli_home.ts";
import type { Dialect, ModelServer, RequestBody } from "../_support/model_servers.ts";
import { shellLine, Terminal, type TerminalOptions } from "./_terminal.ts";

/** Matches the screen of a chat that waits for a message. */
export const WAITING = /^>\s*$/m;

/** Matches the last line of a chat's end. */
export const ENDED = /status=\d+$/m;

/** Lets no session begin; gives what is in the way: without it, they begin again. */
export async function blockSessions(home: CliHome): Promise<string> {
  await Deno.mkdir(home.store, { mode: 0o700 });
  const obstacle = join(home.store, "sessions");
  await Deno.writeTextFile(obstacle, "a file where a folder should be");
  return obstacle;
}

/** Returns the environment that names a server. */
export function serverEnvironment(server: ModelServer): Record<string, string> {
  return server.dialect === "openai"
    ? { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "test", OPENAI_MODEL: "served-model" }
    : {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "test",
      ANTHROPIC_MODEL: "served-model",
    };
}

/** Opens a terminal and starts a chat in it, `through` another program; its process can be killed. */
export async function openChat(
  home: CliHome,
  server: ModelServer | undefined,
  args: readonly string[] = [],
  { through = "", ...options }: Partial<TerminalOptions> & { through?: string } = {},
): Promise<Terminal> {
  const command = shellLine(["chat", ...args]).replaceAll("'", "'\\''");
  const script = [
    'stty -g > "$HOME/before"',
    `sh -c 'echo $$ > "$HOME/pid"; exec ${through} ${command}'`,
    'echo "status=$?"',
    'stty -g > "$HOME/after"',
    'cmp "$HOME/before" "$HOME/after" && echo terminal as before',
  ].join("\n");
  const env = { ...(server === undefined ? {} : serverEnvironment(server)), ...options.env };
  return await Terminal.open(home, script, { columns: 100, rows: 40, ...options, env });
}

/** Opens a chat and waits until it asks for a message. */
export async function readyChat(...given: Parameters<typeof openChat>): Promise<Terminal> {
  const terminal = await openChat(...given);
  await terminal.until(WAITING);
  return terminal;
}

/** Types a message and sends it. */
export async function type(terminal: Terminal, text: string): Promise<void> {
  await terminal.press("-l", text);
  await terminal.press("Enter");
}

/** Finds the chat's process. */
export async function chatPid(home: CliHome): Promise<number> {
  return Number(await Deno.readTextFile(join(home.path, "pid")));
}

/** Ends the chat's process: without more, as a crash does. */
export async function killChat(home: CliHome, signal: Deno.Signal = "SIGKILL"): Promise<void> {
  Deno.kill(await chatPid(home), signal);
}

/** Returns the id of the session that was updated last. */
export async function lastSession(home: CliHome): Promise<string> {
  const last = await openStore({ root: home.store }).last();
  if (last === undefined) throw new Error("There is no session");
  return last.session_id;
}

/** Builds the next request from the log, in a server's dialect. */
export async function rebuilt(
  home: CliHome,
  id: string,
  dialect: Dialect,
): Promise<readonly unknown[]> {
  const { messages } = await openStore({ root: home.store }).load(id, { reasoning: "include" });
  return JSON.parse(JSON.stringify(toMessages(messages, dialect).messages));
}

/** Returns the conversation of a request, without the instructions. */
export function conversationOf({ messages }: RequestBody): readonly unknown[] {
  return messages.filter(({ role }) => role !== "system").map(withoutCacheMarks);
}

/** Removes Anthropic's cache marks, which are no part of the conversation. */
function withoutCacheMarks(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => key === "cache_control" ? undefined : inner),
  );
}

/** Returns the lines of `show` without rules, whose length depends on the terminal. */
export async function shownLines(home: CliHome, id: string): Promise<string[]> {
  const { stdout } = await home.run(["show", id]);
  const body = stdout.slice(stdout.indexOf("▌"));
  return body.split("\n").map((line) => line.trimEnd())
    .filter((line) => line !== "" && !line.includes("──") && !USED.test(line));
}

/** Matches the usage of a turn, which a chat prints on request. */
const USED = /^\S+ · \S+ in, \S+ out/;

/** Returns the lines that are missing or out of order on a screen, however its rows break. */
export function inOrder(screen: string, lines: readonly string[]): string[] {
  const words = (text: string): string => ` ${text.trim().split(/\s+/).join(" ")} `;
  const shown = words(screen);
  let at = 0;
  return lines.filter((line) => {
    const found = shown.indexOf(words(line), at);
    if (found >= 0) at = found + words(line).length - 1;
    return found < 0;
  });
}
