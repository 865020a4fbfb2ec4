import assert from "node:assert/strict";
import { passwordIn, passwordPlace } from "../../../../lib/features/team/postgres/password_file.ts";
import { testData } from "../../../_support/test_data.ts";

type Place = NonNullable<ReturnType<typeof passwordPlace>>;

const { files: FILES, places: PLACES } = testData<{
  files: [text: string, password?: string][];
  places: [address: string, place: Place][];
}>("team/password_files.json");
const [[, PLACE], [, ODD_PLACE]] = PLACES as [[string, Place], [string, Place]];

Deno.test("the first line that fits gives the password, with its escapes undone", () => {
  for (const [text, password] of FILES) assert.equal(passwordIn(text, PLACE), password, text);
  assert.equal(passwordIn("\\:\\:1:5433:a\\\\b:ann\\:x:p", ODD_PLACE), "p");
});

Deno.test("an address names the place of its password, and a socket is this machine", () => {
  for (const [address, place] of PLACES) assert.deepEqual(passwordPlace(address), place, address);
});
