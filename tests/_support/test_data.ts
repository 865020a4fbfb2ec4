/** Returns the JSON of a file below `testdata`. */
export function testData<Data>(name: string): Data {
  return JSON.parse(Deno.readTextFileSync(new URL(`../../testdata/${name}`, import.meta.url)));
}
