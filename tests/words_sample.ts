/**
 * Prints random lines of output, help and messages for a reader to judge: `deno task words [SEED]`.
 * With `--pages` it prints sentences of the README and the pages in `.github`. The seed is a number
 * in hex, by default the first eight digits of the commit. Each line has its number, for the
 * reader's marks; `--where` adds where it comes from.
 */
import { parseArgs } from "node:util";
import { programTable } from "../commands/_program_table.ts";
import { furnishAgents } from "./_support/agent_homes.ts";
import { CliHome } from "./_support/cli_home.ts";
import { commitSeed, drawSample } from "./_support/drawn_sample.ts";
import { type PageText, projectPages, sentencesOf } from "./_support/page_sentences.ts";
import { SOURCES, withoutComments } from "./_support/source_code.ts";

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
  /[{}<>=\\]|^[.~]|^\s*(?:select|insert|update|delete|create|from|where|with|pragma) .*[_(]/i;
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

/** Names that the program looks up, such as those of tools and of months: nobody reads them in a row. */
const NAMES = /^(?!reprise )[\p{L}\d_]+(?: [\p{L}\d_-]+){3,}$/u;
const OF_SENTENCES =
  /(?<=^| )(?:a|after|all|an|and|are|be|before|by|can|each|every|for|from|in|is|no|not|of|on|or|that|the|this|to|was|where|with|without|you)(?= |$)/;

function isSaying(text: string): boolean {
  if (NAMES.test(text) && !OF_SENTENCES.test(text)) return false;
  return (text.match(/(?<=^|[\s(])\p{L}{2,}(?=$|[\s,.:;!?)])/gu) ?? []).length >= MIN_WORDS;
}

/** Lists the texts of the source that have words, with `…` for what is filled in. */
function messages(): PageText[] {
  return [...SOURCES].flatMap(([where, source]) =>
    [...withoutComments(source).matchAll(TEXT)].map(([text]) => ({
      text: text.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…").replaceAll(JOINT, "").slice(1, -1),
      where,
    })).filter(({ text }) => !CODE.test(text))
  );
}

/** Lists what a command prints; lines of a help that belong together are one text. */
async function printed(home: CliHome, args: readonly string[]): Promise<PageText[]> {
  const { stdout, stderr } = await home.run(args);
  const where = `reprise ${args.join(" ")}`;
  // The groups of the first page stand below each other.
  const whole = args.length > 1 && args.includes("--help")
    ? stdout.replaceAll(WRAPPED, " ")
    : stdout;
  return `${whole}\n${stderr}`.split("\n").map((text) => ({ text: text.trim(), where }));
}

async function allLines(): Promise<PageText[]> {
  await using home = new CliHome();
  furnishAgents(home);
  const lines = messages();
  const helps = Object.keys((await programTable()).commands ?? {}).map((name) => [name, "--help"]);
  for (const args of [["--help"], ...helps, ...OUTPUTS]) lines.push(...await printed(home, args));
  return lines;
}

/** Returns the sentences of all pages. */
function allSentences(): PageText[] {
  return [...projectPages()].flatMap(([name, page]) => sentencesOf(page, name));
}

const { positionals: [seed = commitSeed()], values } = parseArgs({
  options: {
    where: { type: "boolean", default: false },
    pages: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const said = (values.pages ? allSentences() : await allLines())
  .filter(({ text }) => isSaying(text));
const lines = [...new Map(said.map((line) => [line.text, line])).values()];
const drawn = drawSample(lines, LINES, seed).map(({ text, where }, index) =>
  `${index + 1}. ${text}${values.where ? `  [${where}]` : ""}`
);
const head = `${drawn.length} of ${lines.length} ${
  values.pages ? "sentences" : "lines"
}, seed ${seed}`;
Deno.stdout.writeSync(new TextEncoder().encode(`${[head, ...drawn].join("\n")}\n`));
