/**
 * Prints random doc comments, each with the declaration below it, for a reader to judge without the
 * code: `deno task comments [SEED]`. The seed is a number in hex, by default the first eight digits of
 * the commit. A comment repeats if it says no more than the name and the types. It is decoded if a
 * reader must guess what it means.
 */
import { parseArgs } from "node:util";
import { commitSeed, drawSample } from "./_support/drawn_sample.ts";
import { SOURCES } from "./_support/source_code.ts";

const COMMENTS = 100;
/** A doc comment that is no header of a file, and the line that it stands above. */
const COMMENT = /(?<=\n)([ \t]*)\/\*\*([^]*?)\*\/\n([^\n]*)/g;

/** Lists the doc comments of lib and commands: text and declaration. */
function comments(): string[] {
  return [...SOURCES].flatMap(([path, source]) =>
    [...source.matchAll(COMMENT)].map(([, , comment = "", declaration = ""]) => {
      const text = comment.replaceAll(/^[ \t]*\* ?/gm, "").trim().replaceAll(/\s+/g, " ");
      return `${path} | ${declaration.trim()} | ${text}`;
    })
  );
}

const { positionals: [seed = commitSeed()] } = parseArgs({ allowPositionals: true });
const lines = drawSample(comments(), COMMENTS, seed).map((line, index) => `${index + 1} ${line}\n`);
Deno.stdout.writeSync(new TextEncoder().encode(`seed ${seed}\n${lines.join("")}`));
