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
  const names = HELP.map(([name]) => name);
  assert.ok(names.length > 40, names.join(", "));
  for (const name of ["search", "trash empty", "index build", "config set", "completions"]) {
    assert.ok(names.includes(name), name);
    const { stdout } = await HOME.run([...name.split(" "), "--help"]);
    assert.equal(stdout, HELP.find(([other]) => other === name)?.[1], name);
  }
});

Deno.test("no help text is wider than a terminal of 80 columns", () => {
  const wide = HELP.flatMap(([name, text]) =>
    text.split("\n").filter((line) => line.length > 80).map((line) => `${name}: ${line}`)
  );
  assert.deepEqual(wide, []);
});

Deno.test("every help text is of whole sentences, in whole lines, and gives examples", () => {
  for (const [name, text] of HELP) {
    const [, about = ""] = text.split("\n\n");
    assert.match(about, /^[A-Z][^]*\.$/, name);
    const broken = about.split("\n").filter((line) => line.length < 60 && !/[.:]$/.test(line));
    assert.deepEqual(broken, [], name);
    const [, examples = ""] = text.split(/^Examples:$/m);
    assert.ok(examples.split("\n").filter((line) => /\breprise\b/.test(line)).length > 1, name);
  }
});
