import assert from "node:assert/strict";
import { buildProgram } from "../../commands/_program.ts";
import { plainListFlags } from "../../commands/list/list_flags.ts";
import type { Context } from "../../commands/_context.ts";

const NOW = new Date("2026-11-21T20:00:00Z");

const OUT = { width: 80, write: () => {} };
const CONTEXT = { version: "0", now: () => NOW, stdout: OUT, stderr: OUT } as unknown as Context;

/** Parses flags with the parser of arguments; undefined where it refuses them. */
async function parsed(args: readonly string[]): Promise<unknown> {
  const program = await buildProgram(CONTEXT, ["list"]);
  const [list] = program.commands;
  let flags: unknown;
  list?.action((...given: unknown[]) => void ([flags] = given));
  try {
    await program.parseAsync(["list", ...args], { from: "user" });
    return flags;
  } catch {
    // Refused, or help was asked for.
    return undefined;
  }
}

const WORDS = [
  ["--all"],
  ["-a"],
  ["--here"],
  ["--cwd", "/some/where"],
  ["--cwd=/else"],
  ["--agent", "claude"],
  ["--agent", "all"],
  ["--agent", "nobody"],
  ["--since", "7d"],
  ["--since", "2026-11-20"],
  ["--since", "yesterday"],
  ["--title", "a b"],
  ["--title"],
  ["--archived"],
  ["--exact"],
  ["-n", "3"],
  ["-n3"],
  ["-n", "0"],
  ["--limit", "12"],
  ["--json"],
  ["--file", "a.ts"],
  ["--max-chars", "900"],
  ["--max-chars", "9"],
  ["--cursor", "abc"],
  ["<time>"],
  ["-aj"],
  ["--help"],
  ["--no-such"],
  ["word"],
  ["--"],
  [""],
];

Deno.test("plain flags are what the parser of arguments makes of them, or are left to it", async () => {
  let plain = 0;
  const lines = [[], ...WORDS, ...WORDS.flatMap((one) => WORDS.map((two) => [...one, ...two]))];
  for (const args of lines) {
    const flags = plainListFlags(args, CONTEXT);
    if (flags === undefined) continue;
    plain++;
    assert.deepEqual({ ...flags }, await parsed(args), args.join(" "));
  }
  assert.ok(plain > 150, String(plain));
});
