/**
 * Makes the manual page `reprise.1` in a folder, by default `dist`, from the tables of commands, which the help comes from as
 * well. The same sources give the same bytes.
 */
import { type CommandTable, detailsOf, HELP_FLAG, helpOf, helpText } from "../commands/_command.ts";
import { programTable } from "../commands/_program_table.ts";
import { fileURLToPath } from "node:url";
import configuration from "../deno.json" with { type: "json" };

/** Characters that roff would read as something else, or print as another one. */
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\(rs",
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  '"': "\\(dq",
};

/** Returns text as roff prints it, character by character. */
export function escapeRoff(text: string): string {
  return text
    .replaceAll(/[\\\-'`^~"]/g, (character) => ESCAPES[character] ?? character)
    .replaceAll(/[^\n\x20-\x7e]/gu, (character) => `\\[u${codePoint(character)}]`)
    .replaceAll(/^\./gm, "\\&.");
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** Returns a paragraph that roff fills. From the first indented line on, lines stay as they are. */
function paragraph(text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith(" "));
  const prose = first < 0 ? lines : lines.slice(0, first);
  const verbatim = first < 0 ? [] : lines.slice(first);
  return [
    ...(prose.length === 0 ? [] : [".PP", ...prose.map(escapeRoff)]),
    ...(verbatim.length === 0 ? [] : [".PP", ".EX", ...verbatim.map(escapeRoff), ".EE"]),
  ].join("\n");
}

function paragraphs(text: string): string[] {
  return text.split(/\n\s*\n/).map((part) => part.replace(/^\n+|\s+$/g, ""))
    .filter((part) => part !== "").map(paragraph);
}

/** Returns a list of terms with their descriptions. */
function entries(terms: readonly { term: string; description: string }[]): string[] {
  return terms.map(({ term, description }) =>
    `.TP\n\\fB${escapeRoff(term)}\\fR\n${escapeRoff(description)}`
  );
}

/** Returns the line that says how a command is called. */
function usage(name: string, { commands, arguments: words = [] }: CommandTable): string {
  const below = commands === undefined ? [] : ["[command]"];
  return [name, "[options]", ...below, ...words.map(([word]) => word)].join(" ");
}

/** Returns arguments and flags with their descriptions. */
function terms({ arguments: words = [], flags = {} }: CommandTable): string[] {
  const shown = words.some(([, about]) => detailsOf(about).help !== undefined) ? words : [];
  return entries([
    ...shown.map(([word, about]) => ({
      term: word.replaceAll(/[<>[\].]/g, ""),
      description: helpOf(detailsOf(about)),
    })),
    ...[...Object.entries(flags), HELP_FLAG]
      .filter(([, about]) => !detailsOf(about).hidden)
      .map(([flag, about]) => ({ term: flag, description: helpOf(detailsOf(about)) })),
  ]);
}

/** Returns the section of a command, and those of the commands below it. */
function section(name: string, table: CommandTable): string[] {
  return [
    `.SS "${escapeRoff(usage(name, table))}"`,
    ...paragraphs(table.description),
    ...terms(table),
    ...paragraphs(helpText(table)),
    ...Object.entries(table.commands ?? {})
      .flatMap(([below, its]) => section(`${name} ${below}`, its)),
  ];
}

/** Returns the manual page, as roff with the macros of man(7). */
export async function manPage(version: string): Promise<string> {
  const program = await programTable();
  const groups = Map.groupBy(
    Object.entries(program.commands ?? {}),
    ([, { group = "" }]) => group.replace(/:$/, ""),
  );
  const summary = program.description.replace(/\.$/, "");
  return [
    `.TH REPRISE 1 "" "reprise ${escapeRoff(version)}" "User Commands"`,
    // Paths and commands are copied: none is broken within a word.
    ".nh",
    ".SH NAME",
    `reprise \\- ${escapeRoff(summary.charAt(0).toLowerCase() + summary.slice(1))}`,
    ".SH SYNOPSIS",
    `.B ${escapeRoff(usage("reprise", program))}`,
    ".SH DESCRIPTION",
    ...paragraphs(helpText(program)),
    ".SH OPTIONS",
    ...terms(program),
    ...[...groups].flatMap(([group, commands]) => [
      `.SH "${escapeRoff(group.toUpperCase())}"`,
      ...commands.flatMap(([name, table]) => section(`reprise ${name}`, table)),
    ]),
    ".SH EXIT STATUS",
    ...entries([
      { term: "0", description: "done" },
      { term: "1", description: "failed, or damaged" },
      { term: "2", description: "wrong usage" },
      { term: "70", description: "a fault of Reprise" },
      { term: "130, 143", description: "interrupted, terminated" },
    ]),
    "",
  ].join("\n").replaceAll(/^(\.S[HS] .*)\n\.PP$/gm, "$1");
}

if (import.meta.main) {
  const [out = fileURLToPath(new URL("../dist/", import.meta.url))] = Deno.args;
  await Deno.mkdir(out, { recursive: true });
  await Deno.writeTextFile(`${out}/reprise.1`, await manPage(configuration.version));
}
