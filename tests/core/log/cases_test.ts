/**
 * What the stages read of short logs. A case in testdata/readings has a name, perhaps options, a log,
 * and what is read of it; `-- --update` writes the results anew. A line of the log begins with `|`, or
 * with `:` if it has no LF; `<00*9>` is nine bytes 0.
 */
import { CaseFile, ruleOf } from "../../_support/case_file.ts";
import {
  type Bytes,
  concat,
  type Read,
  readEveryWay,
  type ReadOptions,
} from "../../_support/log_bytes.ts";

function bytesOf(line: string): Bytes {
  const pieces = line.slice(1).split(/<([0-9a-f]{2}(?:\*\d+)?)>/).map((piece, at) => {
    if (at % 2 === 0) return piece;
    const [byte = "", times = "1"] = piece.split("*");
    return new Uint8Array(Number(times)).fill(parseInt(byte, 16));
  });
  return concat(...pieces, line.startsWith("|") ? "\n" : "");
}

function optionsOf({ kinds, ...options }: ReadOptions & { kinds?: string[] }): ReadOptions {
  return { ...options, ...(kinds !== undefined && { kinds: new Set(kinds) }) };
}

/** Events, findings and the count of bytes; a field that is undefined is told. */
function linesOf({ events, diagnostics, tally }: Read): string[] {
  const json = (value: unknown): string =>
    JSON.stringify(value, (_, member) => member === undefined ? "(undefined)" : member);
  return [
    ...events.map((event) => `event ${json(event)}`),
    ...diagnostics.map((diagnostic) => `finding ${json(diagnostic)}`),
    `tally ${json(tally)}`,
  ];
}

/** A case as it is written, with what is read now. */
async function toldOf(text: string): Promise<string> {
  const given = text.split("\n");
  given.length = given.indexOf("=") + 1;
  const options = given[1]?.startsWith("with ") ? JSON.parse(given[1].slice(5)) : {};
  const log = given.filter((line) => /^[|:]/.test(line)).map(bytesOf);
  const read = await readEveryWay(concat(...log), optionsOf(options));
  return [...given, ...linesOf(read)].join("\n");
}

for (const stage of ["event_parse_stream", "line_parser"]) {
  const file = new CaseFile(new URL(`../../../testdata/readings/${stage}.txt`, import.meta.url));
  for (const [at, text] of file.cases.entries()) {
    Deno.test(`${stage}: ${ruleOf(text)}`, async () => file.expect(at, await toldOf(text)));
  }
}
