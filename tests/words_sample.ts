/**
 * Prints random lines of output, help and messages for a reader to judge: `deno task words [SEED]`.
 * The seed is a number in hex, by default the first eight digits of the commit. Each line has its
 * number, for the reader's marks; `--where` adds where it comes from.
 */
import { parseArgs } from "node:util";
import { programTable } from "../commands/_program_table.ts";
import { furnishAgents } from "./_support/agent_homes.ts";
import { CliHome } from "./_support/cli_home.ts";
import { mulberry32 } from "./_support/mulberry32.ts";
import { ROOT, SOURCES, withoutComments } from "./_support/source_code.ts";

const LINES = 150;
const JOINT = /["`]\s*\+\s*["`]/g;
/** The break within a paragraph, or within the words beside a flag. */
const WRAPPED = /(?<=^[^\s:][^\n]*)\n(?=[^\s])|\n {10,}(?=\S)/gm;
/** The fewest words of a line that says something. */
const MIN_WORDS = 4;
const LITERAL = String.raw`"(?:[^"\\\n]|\\.)*"|\x60(?:[^\x60\\]|\\[^])*\x60`;
/** Literals that `+` joins are one text. */
const TEXT = new RegExp(`(?:${LITERAL})(?:\\s*\\+\\s*(?:${LITERAL}))*`, "g");
/** Texts for programs: paths, SQL, HTML, CSS and scripts. */
const CODE =
  /[{}<>=\\]|^[.~]|^(?:select|insert|update|delete|create|from|where|with|pragma) .*[_(]/i;
/** Commands whose output is Reprise's own words, not those of sessions. */
const OUTPUTS = [
  ["list", "--all"],
  ["list", "--all", "--wide"],
  ["stats", "--all"],
  ["stats", "--all", "--by", "model"],
  ["doctor"],
  ["doctor", "agents"],
  ["sync", "status"],
  ["backup", "list"],
  ["cache", "status"],
  ["trash", "list"],
  ["config"],
  ["setup", "--dry-run"],
  ["search", "zyzzyva"],
];

interface Line {
  text: string;
  where: string;
}

function isSaying(text: string): boolean {
  return (text.match(/(?<=^|[\s(])\p{L}{2,}(?=$|[\s,.:;!?)])/gu) ?? []).length >= MIN_WORDS;
}

/** Lists the texts of the source that have words, with `…` for what is filled in. */
function messages(): Line[] {
  return [...SOURCES].flatMap(([where, source]) =>
    [...withoutComments(source).matchAll(TEXT)].map(([text]) => ({
      text: text.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…").replaceAll(JOINT, "").slice(1, -1),
      where,
    })).filter(({ text }) => !CODE.test(text))
  );
}

/** Lists what a command prints; lines of a help that belong together are one text. */
async function printed(home: CliHome, args: readonly string[]): Promise<Line[]> {
  const { stdout, stderr } = await home.run(args);
  const where = `reprise ${args.join(" ")}`;
  const whole = args.includes("--help") ? stdout.replaceAll(WRAPPED, " ") : stdout;
  return `${whole}\n${stderr}`.split("\n").map((text) => ({ text: text.trim(), where }));
}

async function allLines(): Promise<Line[]> {
  await using home = new CliHome();
  furnishAgents(home);
  const lines = messages();
  const helps = Object.keys((await programTable()).commands ?? {}).map((name) => [name, "--help"]);
  for (const args of [["--help"], ...helps, ...OUTPUTS]) lines.push(...await printed(home, args));
  return [
    ...new Map(lines.filter(({ text }) => isSaying(text)).map((line) => [line.text, line]))
      .values(),
  ];
}

function commitSeed(): string {
  const { stdout } = new Deno.Command("git", { args: ["rev-parse", "HEAD"], cwd: ROOT })
    .outputSync();
  return new TextDecoder().decode(stdout).slice(0, 8);
}

const { positionals: [seed = commitSeed()], values } = parseArgs({
  options: { where: { type: "boolean", default: false } },
  allowPositionals: true,
});
const unit = mulberry32(parseInt(seed, 16));
const lines = await allLines();
const drawn = [`${LINES} of ${lines.length} lines, seed ${seed}`];
while (drawn.length <= LINES && lines.length > 0) {
  for (const { text, where } of lines.splice(Math.floor(unit() * lines.length), 1)) {
    drawn.push(`${drawn.length}. ${text}${values.where ? `  [${where}]` : ""}`);
  }
}
Deno.stdout.writeSync(new TextEncoder().encode(`${drawn.join("\n")}\n`));
