/**
 * What a transcript puts into its home:
 *
 * - `aaaa [Title] (cwd=~/other branch=main created=2026-11-20T10:00:00Z) user: One / assistant: Two`
 *   keeps a session, whose title and options may be left out. `days=2` creates it two days ago. Its
 *   events are `user: TEXT`, `assistant: TEXT`, `call: ID INPUT`, `result: ID OUTPUT`, or JSON.
 * - `team:ann/aaaa user: One` keeps a session that a member of the team shared.
 * - `aaaa += text` adds to the log of this session, or to an agent's whose path has these characters.
 * - `aaaa s/one (.)/other $1/` alters this log, `path s/one (.)/other $1/` a file.
 * - `1000-1019 user: About %` keeps a session for each of these numbers, with the number for `%`.
 * - `pi:1111 One / Two` keeps a session of pi with these prompts.
 * - `claude:3f2a91c0-… folder` keeps a session of Claude Code in this folder of the home.
 * - `git 2026-11-20T10:00:00Z add --all` runs git in `work`, at this time.
 * - `path: text` writes a file, and `path < agents/pi/a.jsonl` copies one of `testdata`. A file that
 *   begins with `#!` is a program. In its text, `\r` is a carriage return.
 */
import { dirname, join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { type CliHome, type KeepOptions, sessionId } from "../_support/cli_home.ts";
import { filesBelow } from "../_support/files_below.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { mirror } from "../_support/mirrored.ts";
import { git } from "../features/blame/_repository.ts";
import { keepClaudeSession } from "./_fake_agent.ts";
import { keepPiSession } from "./_pi_session.ts";

const TESTDATA = new URL("../../testdata/", import.meta.url);
const SESSION =
  /^(?:team:(\w+)\/)?([0-9a-f]{4,8}) (?:\[(.*?)\] )?(?:\(((?:\w+=\S+ ?)+)\) )?([\w{][^]*)$/;

/** Puts what a line says into a home. */
export function put(home: CliHome, what: string): void {
  const [, log, ...change] = /^(\S+) (?:\+= ([^]*)|s\/(.+)\/(.*)\/)$/.exec(what) ?? [];
  const [, pi, prompts] = /^pi:(\S+)(?: ([^]*))?$/.exec(what) ?? [];
  const [, claude, folder = ""] = /^claude:(\S+) (\S+)$/.exec(what) ?? [];
  const [, first, last, each = ""] = /^(\d{4})-(\d{4}) ([^]*)$/.exec(what) ?? [];
  const [, to = "", fixture] = /^(\S+) < (\S+)$/.exec(what) ?? [];
  const [, time = "", args] = /^git (\S+) (.+)$/.exec(what) ?? [];
  const session = SESSION.exec(what);
  if (log !== undefined) alter(home, log, change);
  else if (pi !== undefined) keepPiSession(home, pi, ...prompts?.split(" / ") ?? []);
  else if (claude !== undefined) keepClaudeSession(home, claude, join(home.path, folder));
  else if (first !== undefined) {
    for (let id = Number(first); id <= Number(last); id++) {
      put(home, `${id} ${each.replaceAll("%", `${id}`)}`);
    }
  } else if (args !== undefined) git(home.work, time, ...args.split(" "));
  else if (fixture !== undefined) write(home, to, Deno.readFileSync(new URL(fixture, TESTDATA)));
  else if (session !== null) keep(home, session);
  else {
    const [path = "", ...text] = what.split(": ");
    const written = text.join(": ").replaceAll(/(?<!\\)\\r/g, "\r");
    write(home, path, new TextEncoder().encode(written));
  }
}

function keep(home: CliHome, found: RegExpExecArray): void {
  const [, owner, id = "", title, options, talk = ""] = found;
  const events = talk.split(" / ").map((said) => eventOf(said, home.path));
  if (owner !== undefined) {
    return void mirror(home.store, { session: sessionId(id), owner }, events);
  }
  home.keep(sessionId(id), events, {
    ...(title === undefined ? {} : { title }),
    ...(options === undefined ? {} : optionsOf(options.replaceAll("~", home.path))),
  });
}

function optionsOf(text: string): KeepOptions {
  const { days, created, ...rest } = Object.fromEntries(
    text.trim().split(" ").map((option) => option.split(/=(.*)/, 2)),
  );
  const time = days === undefined ? created : Date.now() - 86_400_000 * days;
  return { ...rest, ...(time === undefined ? {} : { created: new Date(time) }) };
}

function alter(home: CliHome, name: string, [more, from = "", to = ""]: string[]): void {
  const path = filesBelow(home.path).find((one) =>
    one === join(home.path, name) || one.includes(sessionId(name)) && one.endsWith(".jsonl")
  );
  if (path === undefined) throw new Error(`No session ${name}`);
  if (more !== undefined) Deno.writeTextFileSync(path, more, { append: true });
  else Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace(new RegExp(from), to));
}

function write(home: CliHome, name: string, bytes: Uint8Array): void {
  const path = join(home.path, name);
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const is_program = bytes[0] === 0x23 && bytes[1] === 0x21;
  Deno.writeFileSync(path, bytes, { mode: is_program ? 0o700 : 0o600 });
}

function eventOf(said: string, home: string): NewEvent {
  if (said.startsWith("{")) return jsonIn(said, home);
  const [, role, text = "", id = "", more = ""] = /^(\w+): ((\S*) ?([^]*))$/.exec(said) ?? [];
  if (role === "call") return toolStart(id, jsonIn(more, home));
  if (role === "result") return toolEnd(id, more);
  return role === "user" ? user(text) : assistant(text);
}

function jsonIn(text: string, home: string): NewEvent {
  const place = JSON.stringify(home).slice(1, -1);
  return JSON.parse(text.replaceAll(home, place).replaceAll("\n", "\\n"));
}
