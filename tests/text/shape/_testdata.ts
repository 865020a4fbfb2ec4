/** The files of `testdata/shapes`. */

const FOLDER = new URL("../../../testdata/shapes/", import.meta.url);

export function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(new URL(`${folder}/`, FOLDER))].map(({ name }) => name).sort();
}

export function textOf(name: string): string {
  return Deno.readTextFileSync(new URL(name, FOLDER));
}

export function write(name: string, text: string): void {
  Deno.writeTextFileSync(new URL(name, FOLDER), text);
}

/** The records of a file that has one on each line. */
export function recordsOf<Record>(name: string): Record[] {
  return textOf(name).trimEnd().split("\n").map((line) => JSON.parse(line) as Record);
}
