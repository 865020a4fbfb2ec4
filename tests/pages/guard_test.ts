import assert from "node:assert/strict";
import { admit } from "../../lib/pages/guard.ts";
import { KEY, requestOf } from "./_site.ts";

const HOME = `/${KEY.token}/`;

function statusOf(...request: Parameters<typeof requestOf>): number {
  const admission = admit(requestOf(...request), KEY);
  return "status" in admission ? admission.status : 200;
}

Deno.test("a request with the token, to the server's own name, is admitted", () => {
  const target = `${HOME}session?ref=claude%3Ab&thread=a+b`;
  const admission = admit(requestOf(target), KEY);
  assert.ok("path" in admission);
  assert.equal(admission.path, "session");
  assert.deepEqual([...admission.query], [["ref", "claude:b"], ["thread", "a b"]]);
  for (const site of ["none", "same-origin"]) {
    assert.equal(statusOf(HOME, { "sec-fetch-site": site }), 200);
  }
  assert.equal(statusOf(HOME, { origin: `http://${KEY.authority}` }), 200);
  assert.equal(statusOf(HOME, {}, "HEAD"), 200);
});

Deno.test("an address without the whole token is refused", () => {
  const addresses = ["/", "", "/favicon.ico", "/secret-toke/", "/secret-token", "/secret-tokenn/"];
  const odd = ["//secret-token/", "/x/secret-token/", "/SECRET-TOKEN/", "/secret-token%2f", "*"];
  const absolute = [`http://${KEY.authority}${HOME}`, `/?token=${KEY.token}`, "/../secret-token/"];
  for (const target of [...addresses, ...odd, ...absolute]) {
    assert.equal(statusOf(target), 403, target);
  }
});

Deno.test("another host is refused, also one that leads to the same address", () => {
  const hosts = ["evil.example", "localhost:4123", "127.0.0.1", "127.0.0.1:4124", "[::1]:4123", ""];
  for (const host of [...hosts, "127.0.0.1:4123.evil.example", undefined]) {
    assert.equal(statusOf(HOME, { host }), 403, host);
  }
});

Deno.test("another site is refused, whatever it knows", () => {
  for (
    const origin of [
      "http://evil.example",
      "null",
      "http://127.0.0.1:4124",
      "",
      "https://127.0.0.1:4123",
    ]
  ) {
    assert.equal(statusOf(HOME, { origin }), 403, origin);
  }
  for (const site of ["cross-site", "same-site", "odd"]) {
    assert.equal(statusOf(HOME, { "sec-fetch-site": site }), 403, site);
  }
});

Deno.test("only reading is possible", () => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get", ""]) {
    assert.equal(statusOf(HOME, {}, method), 405, method);
    assert.equal(statusOf("/", {}, method), 403, method);
  }
});
