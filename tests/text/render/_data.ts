/** What is read from `testdata/render`. */

const FOLDER = new URL("../../../testdata/render/", import.meta.url);

/** The place of a file. */
export function dataUrl(name: string): URL {
  return new URL(name, FOLDER);
}

/** The value that a file of JSON holds. */
export function readJson<Value>(name: string): Value {
  return JSON.parse(Deno.readTextFileSync(dataUrl(name)));
}
