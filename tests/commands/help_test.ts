import assert from "node:assert/strict";
import { CliHome } from "../_support/cli_home.ts";

const HOME = new CliHome();
addEventListener("unload", () => Deno.removeSync(HOME.path, { recursive: true }));

/** Names in the lists of commands of a help text. */
function namesIn(help: string): string[] {
  const [, ...lists] = help.split(/^(?=[A-Z].*:$)/m).filter((part) => !/^(Opt|Arg|Ex)/.test(part));
  return lists.flatMap((list) => [...list.matchAll(/^ {2}([a-z]+)(?: .*)?$/gm)])
    .map(([, name = ""]) => name);
}

/** Reads the help texts of all commands and subcommands. */
async function helpTexts(above: readonly string[] = []): Promise<[string, string][]> {
  const words = above.length === 0 ? ["all"] : above;
  const { status, stdout, stderr } = await HOME.run(["help", ...words]);
  assert.deepEqual([status, stderr], [0, ""], above.join(" "));
  const texts: [string, string][] = [[above.join(" "), stdout]];
  if (above.length > 1 || !/^Usage:.*\[command\]/m.test(stdout)) return texts;
  for (const name of namesIn(stdout)) texts.push(...await helpTexts([...above, name]));
  return texts;
}

const HELP = await helpTexts();

Deno.test("every command has help, and --help says the same as help", async () => {
  assert.ok(HELP.length > 40, HELP.map(([name]) => name).join(", "));
  const texts = new Map(HELP);
  for (const name of ["search", "trash empty", "index build", "config set", "completions"]) {
    const { stdout } = await HOME.run([...name.split(" "), "--help"]);
    assert.equal(stdout, texts.get(name), name);
  }
});

Deno.test("every help text is of whole sentences and lines of 80 columns, and gives examples", () => {
  for (const [name, text] of HELP) {
    const lines = text.split("\n");
    assert.deepEqual(lines.filter((line) => line.length > 80), [], name);
    const [, about = ""] = text.split("\n\n");
    assert.match(about, /^[A-Z][^]*\.$/, name);
    const broken = about.split("\n").filter((line) => line.length < 60 && !/[.:]$/.test(line));
    assert.deepEqual(broken, [], name);
    const [, examples = ""] = text.split(/^Examples:$/m);
    assert.ok((examples.match(/^.*\breprise\b/gm)?.length ?? 0) > 1, name);
  }
});
