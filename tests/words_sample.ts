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
import { isSaying, type Message, messagesIn } from "./_support/messages.ts";
import { type PageText, projectPages, sentencesOf } from "./_support/page_sentences.ts";
import { SOURCES } from "./_support/source_code.ts";

const LINES = 150;
/** The break within a paragraph, or within the words beside a flag. */
const WRAPPED = /(?<=^[^\s:][^\n]*)\n(?=[^\s])|\n {10,}(?=\S)/gm;
/** Commands whose output is Reprise's own words, not those of sessions. */
const OUTPUTS = [
  ["list", "--all"],
  ["list", "--all", "--wide"],
  ["stats", "--all"],
  ["stats", "--all", "--by", "model"],
  ["doctor"],
  ["doctor", "agents"],
  ["sync"],
  ["backup", "list"],
  ["cache", "status"],
  ["trash", "list"],
  ["config"],
  ["setup", "--dry-run"],
  ["search", "zyzzyva"],
];

/** Splits a text into lines; lines of a help that belong together are one. */
function linesOf({ text, where }: Message): Message[] {
  return text.replaceAll(WRAPPED, " ").split("\n").map((line) => ({ text: line.trim(), where }));
}

/** Lists what a command prints. */
async function printed(home: CliHome, args: readonly string[]): Promise<Message[]> {
  const { stdout, stderr } = await home.run(args);
  const where = `reprise ${args.join(" ")}`;
  const text = `${stdout}\n${stderr}`;
  // The groups of the first page stand below each other.
  if (args.length > 1 && args.includes("--help")) return linesOf({ text, where });
  return text.split("\n").map((line) => ({ text: line.trim(), where }));
}

async function allLines(): Promise<Message[]> {
  await using home = new CliHome();
  furnishAgents(home);
  const lines = messagesIn(SOURCES).flatMap(linesOf);
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
