import assert from "node:assert/strict";
import { passwordFileLine, storeAddress } from "../../../lib/features/team/store_address.ts";

const PLAIN = "postgresql://ann@db.example.com:5433/team?sslmode=verify-full";

Deno.test("an address without a password is kept as it was given", () => {
  const plain = [
    PLAIN,
    "postgres://ann@[::1]/team",
    "postgresql://db.example.com/team",
    "postgresql://ann@/team?host=/run/postgresql",
    "postgresql:///team?host=/run/postgresql&user=ann",
    "postgresql://ann%40acme@db.example.com",
  ];
  for (const url of plain) assert.deepEqual(storeAddress(url), { url });
});

Deno.test("a password is taken out of an address wherever it stands", () => {
  const url = PLAIN;
  const forms: [string, string][] = [
    ["postgresql://ann:s3cret@db.example.com:5433/team?sslmode=verify-full", "s3cret"],
    ["postgresql://ann:p%40ss%2F:x@db.example.com:5433/team?sslmode=verify-full", "p@ss/:x"],
    ["postgresql://ann:a@b@db.example.com:5433/team?sslmode=verify-full", "a@b"],
    ["postgresql://ann:100%@db.example.com:5433/team?sslmode=verify-full", "100%"],
    ["postgresql://ann@db.example.com:5433/team?password=s3cret&sslmode=verify-full", "s3cret"],
    ["postgresql://ann@db.example.com:5433/team?sslmode=verify-full&password=s%26t", "s&t"],
  ];
  for (const [text, password] of forms) assert.deepEqual(storeAddress(text), { url, password });
  assert.deepEqual(storeAddress("postgresql://ann:@db.example.com/team"), {
    url: "postgresql://ann@db.example.com/team",
  });
});

Deno.test("a text that is no address is refused, and never repeated", () => {
  const wrong = [
    "",
    "mysql://ann:s3cret@host/team",
    "host=db user=ann password=s3cret",
    "postgresql://ann:s3/cret@host/team",
    "postgresql://ann:s3cret @host/team",
    "postgresql://ann:s3cret@host:port/team",
    "postgresql://ann:s3cret@host/team/more",
    "postgresql://ann@host/team?password=s3cret&password=other",
    "postgresql://ann:s3#cret@host/team",
    "ssh://ann:s3cret@host/folder",
    // sftp reads its commands line by line.
    "ssh://host/folder%0A!s3cret",
    "ssh://host/folder%0A!s3cret?user=%zz",
    "ssh://host/%ff",
    "file:///folder%00s3cret",
  ];
  for (const text of wrong) {
    assert.throws(() => storeAddress(text), (error: Error & { code?: string }) => {
      assert.equal(error.code, "invalid-config", text);
      assert.match(error.message, /^Cannot use this store's address: .+; give postgresql:\/\//);
      assert.doesNotMatch(error.message, /s3(?!:\/\/BUCKET)|cret|ann[:@]/);
      return true;
    });
  }
});

Deno.test("the line of a password's file is that of the address, as libpq reads it", () => {
  const lines: [string, string][] = [
    [PLAIN, "db.example.com:5433:team:ann:PASSWORD"],
    ["postgresql://db.example.com", "db.example.com:5432:*:*:PASSWORD"],
    ["postgresql://ann%3Ax@[::1]/a%5Cb", "\\:\\:1:5432:a\\\\b:ann\\:x:PASSWORD"],
    ["postgresql://ann@/team?host=/run/postgresql", "localhost:5432:team:ann:PASSWORD"],
  ];
  for (const [url, line] of lines) assert.equal(passwordFileLine(url), line);
});
