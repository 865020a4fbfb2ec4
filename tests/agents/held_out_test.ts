/**
 * Sessions of four agents, written from the formats' public facts by a person who had not seen the
 * readers: `testdata/held_out/<agent>.json` has ten of each, with the texts that `show` must print.
 * Slow: each of the 40 homes is made, and each session is shown by the program.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { agentCalled } from "../../lib/library/machine/registry.ts";
import type { AgentName } from "../../lib/core/event/agent_name.ts";
import { CliHome } from "../_support/cli_home.ts";
import { type CaseFile, filesOf } from "./_case.ts";

const HELD_OUT = new URL("../../testdata/held_out/", import.meta.url);

/** A session in a home, and the texts in it. */
interface HeldOut {
  /** The session's id. */
  ref: string;
  home: Readonly<Record<string, CaseFile>>;
  texts: readonly string[];
  /** The texts of other sessions in the home, by id. */
  also?: Readonly<Record<string, readonly string[]>>;
}

for (const name of ["auggie", "deepseek", "hermes", "openhands"]) {
  const cases: Record<string, HeldOut> = JSON.parse(
    Deno.readTextFileSync(new URL(`${name}.json`, HELD_OUT)),
  );
  const agent = agentCalled(name) as AgentName;
  for (const [title, given] of Object.entries(cases)) {
    Deno.test(`show prints each text of a held-out session: ${name}, ${title}`, async () => {
      await using home = new CliHome();
      await writeFiles(home.path, agent, given.home);
      const lost: string[] = [];
      for (const [id, texts] of Object.entries({ [given.ref]: given.texts, ...given.also })) {
        const { stdout, stderr } = await home.run(["show", `${name}:${id}`, "--full"]);
        const shown = withoutSpaces(stdout);
        lost.push(...texts.filter((text) => !shown.includes(withoutSpaces(text))));
        if (stdout === "") lost.push(stderr);
      }
      assert.deepEqual(lost, []);
    });
  }
}

async function writeFiles(
  home: string,
  agent: AgentName,
  files: HeldOut["home"],
): Promise<void> {
  const given = { name: `${agent}/held_out`, agent, proves: [], home: files, expected: HELD_OUT };
  for (const [path, content] of Object.entries(filesOf(given))) {
    await Deno.mkdir(dirname(join(home, path)), { recursive: true });
    const bytes = content instanceof URL ? await Deno.readFile(content) : content;
    if (typeof bytes === "string") await Deno.writeTextFile(join(home, path), bytes);
    else await Deno.writeFile(join(home, path), bytes);
  }
}

/** Removes spaces, because long lines are wrapped. */
function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
