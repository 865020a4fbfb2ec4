import assert from "node:assert/strict";
import { RequestGuard } from "../../../lib/frontends/pages/guard.ts";
import { COOKIE, KEY, requestOf } from "./_site.ts";

const HOME = `/${KEY.token}/`;

function statusOf(...request: Parameters<typeof requestOf>): number {
  const admission = new RequestGuard(KEY).admit(requestOf(...request));
  return "status" in admission ? admission.status : 200;
}

Deno.test("a request with the token and the cookie, to the server's own name, is admitted", () => {
  const target = `${HOME}session?ref=claude%3Ab&thread=a+b`;
  const admission = new RequestGuard(KEY).admit(requestOf(target));
  assert.ok("path" in admission);
  assert.deepEqual([admission.path, admission.enters], ["session", false]);
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

Deno.test("a button's request is admitted from a page of this server alone", () => {
  const target = `${HOME}index?q=a`;
  const own = { origin: `http://${KEY.authority}`, "sec-fetch-site": "same-origin" };
  const admission = new RequestGuard(KEY).admit(requestOf(target, own, "POST"));
  assert.ok("path" in admission && admission.acts && admission.path === "index");
  // So a browser sends a form of a page without a referrer.
  assert.equal(statusOf(target, { ...own, origin: "null" }, "POST"), 200);
  for (const site of [undefined, "none", "same-site", "cross-site"]) {
    for (const origin of [own.origin, "null", undefined, "http://127.0.0.1:4124"]) {
      const sent = { origin, "sec-fetch-site": site };
      assert.equal(statusOf(target, sent, "POST"), 403, JSON.stringify(sent));
    }
  }
  assert.equal(statusOf(target, { ...own, origin: "http://evil.example" }, "POST"), 403);
  assert.equal(statusOf(target, { ...own, cookie: undefined }, "POST"), 403);
  assert.equal(statusOf("/other-token/index", own, "POST"), 403);
  for (const path of ["", "stats", "session", "index/", "/index"]) {
    assert.equal(statusOf(HOME + path, own, "POST"), 405, path);
  }
  for (const method of ["PUT", "DELETE", "post"]) assert.equal(statusOf(target, own, method), 405);
});

/** Statuses of requests to one server, one after the other; `enters` for the first use of the token. */
function statuses(requests: Parameters<typeof requestOf>[]): (number | "enters")[] {
  const guard = new RequestGuard(KEY);
  return requests.map((request) => {
    const admission = guard.admit(requestOf(...request));
    return "status" in admission ? admission.status : admission.enters ? "enters" : 200;
  });
}

Deno.test("the token lets one browser in, once, wherever it comes from", () => {
  const fresh = { cookie: undefined };
  for (const site of [undefined, "none", "cross-site"]) {
    const first = { ...fresh, "sec-fetch-site": site };
    assert.deepEqual(
      statuses([[HOME, first], [HOME, first], [`${HOME}stats`, fresh], [HOME], [HOME]]),
      ["enters", 403, 403, 200, 200],
    );
  }
});

Deno.test("a rejected request does not use up the token", () => {
  const fresh = { cookie: undefined };
  const before: Parameters<typeof requestOf>[] = [
    [HOME, fresh, "HEAD"],
    [HOME, fresh, "POST"],
    ["/wrong-token/", fresh],
    [HOME, { ...fresh, host: "evil.example" }],
    [HOME, { ...fresh, origin: "http://evil.example" }],
    [HOME, { ...fresh, origin: "null" }],
  ];
  assert.deepEqual(
    statuses([...before, [HOME, fresh]]),
    [403, 405, 403, 403, 403, 403, "enters"],
  );
});

Deno.test("a cookie counts with the token alone, and among those of other servers", () => {
  const used: Parameters<typeof requestOf> = [HOME, { cookie: undefined }];
  const wrong = ["reprise=", "reprise=secret-cooki", "other=secret-cookie", "reprise", ";;"];
  const odd = [`REPRISE=${KEY.cookie}`, `x${COOKIE}`, `reprise=${KEY.cookie}x`, `a=${COOKIE}`];
  for (const cookie of [...wrong, ...odd]) {
    assert.deepEqual(statuses([used, [HOME, { cookie }]]), ["enters", 403], cookie);
  }
  for (const cookie of [`reprise=x; ${COOKIE}`, `${COOKIE};reprise=y`, `a=b; ${COOKIE}; c`]) {
    assert.deepEqual(statuses([used, [HOME, { cookie }]]), ["enters", 200], cookie);
  }
  assert.deepEqual(statuses([["/"], ["/session"], [`/${KEY.cookie}/`]]), [403, 403, 403]);
});

Deno.test("the cookie is for no script, no other site, and no other server of the host", () => {
  assert.equal(
    new RequestGuard(KEY).set_cookie,
    `reprise=${KEY.cookie}; Path=/${KEY.token}/; HttpOnly; SameSite=Strict`,
  );
});
