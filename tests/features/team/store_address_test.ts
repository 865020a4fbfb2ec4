import assert from "node:assert/strict";
import { testData } from "../../_support/test_data.ts";
import { passwordFileLine, storeAddress } from "../../../lib/features/team/store_address.ts";

/** The table of addresses. The refused ones have line feeds, as sftp reads its commands by line. */
const ADDRESSES = testData<{
  without_password: string[];
  with_password: [address: string, password: string][];
  refused: string[];
  password_lines: [address: string, line: string][];
}>("team/addresses.json");

Deno.test("an address without a password is kept as it was given", () => {
  for (const url of ADDRESSES.without_password) assert.deepEqual(storeAddress(url), { url });
});

Deno.test("a password is taken out of an address wherever it stands", () => {
  const [url = ""] = ADDRESSES.without_password;
  for (const [text, password] of ADDRESSES.with_password) {
    assert.deepEqual(storeAddress(text), { url, password });
  }
  assert.deepEqual(storeAddress("postgresql://ann:@db.example.com/team"), {
    url: "postgresql://ann@db.example.com/team",
  });
});

Deno.test("a text that is no address is refused, and never repeated", () => {
  for (const text of ADDRESSES.refused) {
    assert.throws(() => storeAddress(text), (error: Error & { code?: string }) => {
      assert.equal(error.code, "invalid-config", text);
      assert.match(error.message, /^Cannot use this store's address: .+; give postgresql:\/\//);
      assert.doesNotMatch(error.message, /s3(?!:\/\/BUCKET)|cret|ann[:@]/);
      return true;
    });
  }
});

Deno.test("the line of a password's file is that of the address, as libpq reads it", () => {
  for (const [url, line] of ADDRESSES.password_lines) assert.equal(passwordFileLine(url), line);
});
