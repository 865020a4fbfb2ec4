import assert from "node:assert/strict";
import type { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { escapeRoff, manPage } from "../.ci/man.ts";
import { processContext } from "../commands/_context.ts";
import { buildProgram } from "../commands/_program.ts";
import { needing, program } from "./_support/needing.ts";

const PAGE = await manPage("1.2.3");
const LINES = PAGE.split("\n");

/** A command and all below it, with their names in full. */
function tree(command: Command, above = ""): [name: string, command: Command][] {
  const name = `${above}${command.name()}`;
  const below = command.commands as unknown as Command[];
  return [[name, command], ...below.flatMap((child) => tree(child, `${name} `))];
}

/** The lines of the page from the heading of a command to the next heading. */
function sectionOf(name: string): string[] {
  const start = LINES.findIndex((line) => line.startsWith(`.SS "${name}`));
  assert.ok(start >= 0, name);
  const length = LINES.slice(start + 1).findIndex((line) => /^\.S[HS] /.test(line));
  return LINES.slice(start, start + 1 + length);
}

Deno.test("the manual page has every command and every option, with its description", async () => {
  const program = await buildProgram(processContext("1.2.3"));
  const commands = tree(program);
  assert.ok(commands.length > 40, `${commands.length}`);
  let options = 0;
  for (const [name, command] of commands) {
    const section = name === "reprise" ? LINES : sectionOf(name);
    for (const { flags, description, hidden } of command.options) {
      if (hidden) continue;
      options++;
      const place = section.indexOf(`\\fB${escapeRoff(flags)}\\fR`);
      assert.ok(place > 0, `${name} ${flags}`);
      assert.equal(section[place - 1], ".TP");
      assert.ok(section[place + 1]?.startsWith(escapeRoff(description)), `${name} ${flags}`);
    }
    const [about = ""] = command.description().split("\n");
    if (name !== "reprise") assert.ok(section.includes(escapeRoff(about)), name);
  }
  assert.ok(options > 100, `${options}`);
});

Deno.test("the manual page has the examples, line by line", () => {
  assert.ok(
    sectionOf("reprise fork").includes(
      escapeRoff("  reprise fork 3f2a          continue in a copy; the original is not changed"),
    ),
  );
});

Deno.test("text stays as it is in roff: hyphens, quotes, dots, backslashes, other scripts", () => {
  assert.equal(escapeRoff("--no-color"), "\\-\\-no\\-color");
  assert.equal(escapeRoff('.a\n\'b "c"'), "\\&.a\n\\(aqb \\(dqc\\(dq");
  assert.equal(escapeRoff("a\\b `c` ~ ^"), "a\\(rsb \\(gac\\(ga \\(ti \\(ha");
  assert.equal(escapeRoff("… 😀"), "\\[u2026] \\[u1F600]");
  for (const line of LINES) assert.match(line, /^(?:\.[A-Z]{2}\b|\.nh$|\.B |[^.'])|^$/);
  assert.match(PAGE, /^[\n\x20-\x7e]*$/);
});

Deno.test({
  ...needing(
    "groff prints the manual page without a warning, and its examples as they are",
    program("groff"),
  ),
  async fn(): Promise<void> {
    const args = ["-man", "-ww", "-Tutf8", "-P-cbou"];
    const groff = new Deno.Command("groff", {
      args,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    })
      .spawn();
    const writer = groff.stdin.getWriter();
    await writer.write(new TextEncoder().encode(PAGE));
    await writer.close();
    const { success, stdout, stderr } = await groff.output();
    assert.deepEqual([success, new TextDecoder().decode(stderr)], [true, ""]);
    const text = new TextDecoder().decode(stdout);
    assert.ok(text.includes("--no-color"), text.slice(0, 500));
    assert.ok(text.includes('reprise search "off by one"'));
    assert.ok(text.includes("~/.local/state/reprise"));
  },
});
