import assert from "node:assert/strict";
import { passwordIn, passwordPlace } from "../../../../lib/features/team/postgres/password_file.ts";

const PLACE = { host: "db.example.com", port: "5432", database: "team", user: "ann" };

Deno.test("the first line that fits gives the password, with its escapes undone", () => {
  const cases: [string, string | undefined][] = [
    ["db.example.com:5432:team:ann:secret", "secret"],
    ["*:*:*:ann:any\n", "any"],
    ["# db.example.com:5432:team:ann:no\n*:*:*:*:yes", "yes"],
    ["other:5432:team:ann:no\r\ndb.example.com:*:team:ann:a\\:b\\\\c\r\n", "a:b\\c"],
    ["*:*:*:ann:first\n*:*:*:ann:second", "first"],
    ["*:*:*:ann:", ""],
    ["*:*:*:ann:with:rest", "with"],
    ["*:*:*:ann", undefined],
    ["", undefined],
    ["\0:::::", undefined],
  ];
  for (const [text, password] of cases) assert.equal(passwordIn(text, PLACE), password, text);
  const odd = { host: "::1", port: "5433", database: "a\\b", user: "ann:x" };
  assert.equal(passwordIn("\\:\\:1:5433:a\\\\b:ann\\:x:p", odd), "p");
});

Deno.test("an address names the place of its password, and a socket is this machine", () => {
  const cases: [string, Partial<ReturnType<typeof passwordPlace>>][] = [
    ["postgresql://ann@db.example.com/team", PLACE],
    ["postgresql://ann%3Ax@[::1]:5433/a%5Cb", {
      ...{ host: "::1", port: "5433", database: "a\\b", user: "ann:x" },
    }],
    ["postgresql://ann@localhost/team?host=/run/postgresql&port=5433", {
      ...{ host: "localhost", port: "5433", database: "team", user: "ann" },
    }],
    ["postgresql://ann@h", { host: "h", port: "5432", database: "ann", user: "ann" }],
  ];
  for (const [address, place] of cases) assert.deepEqual(passwordPlace(address), place, address);
});
