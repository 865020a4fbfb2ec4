/** A bucket of a real server keeps objects as the contract of a store of objects says. */
import assert from "node:assert/strict";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { openBucket } from "../../../../lib/features/team/s3/s3_object_store.ts";
import type { ObjectStore } from "../../../../lib/features/team/objects/object_store.ts";
import { accountOf, withBucket } from "../../../_support/bucket_server.ts";
import { testsIn } from "../../../_support/tests_in.ts";

const inBucket = testsIn(withBucket);

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function textOf(store: ObjectStore, key: string): Promise<string | undefined> {
  const found = await store.get(key, 1024);
  return found && new TextDecoder().decode(found.bytes);
}

function failsWith(code: string, text = ""): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof SessionError, String(error));
    assert.equal(error.code, code, error.message);
    assert.ok(error.message.includes(text), error.message);
    assert.ok(!/secret/i.test(error.message), error.message);
    return true;
  };
}

inBucket.test("a bucket keeps, lists, replaces and deletes objects below its prefix", async ({ url, options, requests }) => {
  const store = await openBucket(url, options);
  const key = "v1/ann/laptop (2)/heads/a'b.json";
  assert.equal(await store.get(key, 10), undefined);
  const first = await store.put(key, bytesOf("one"));
  const second = await store.put(key, bytesOf("two!"));
  assert.notEqual(first, second);
  const read = await store.get(key, 4);
  assert.deepEqual([read?.tag, await textOf(store, key)], [second, "two!"]);
  await store.put("v1/ben/x", bytesOf(""));
  const listed = await Array.fromAsync(store.list("v1/ann/"));
  assert.deepEqual(listed, [[{ key, size: 4, tag: second }]]);
  const other = await openBucket(url.replace("/sessions", "/others"), options);
  assert.deepEqual((await Array.fromAsync(other.list(""))).flat(), []);
  await store.delete(key);
  await store.delete(key);
  assert.equal(await store.get(key, 10), undefined);
  assert.equal(await textOf(store, "v1/ben/x"), "");
  const bodies = requests.filter(({ method }) => method === "PUT").map(({ path }) => path);
  assert.ok(bodies.every((path) => path.startsWith("/team/sessions/v1/")), bodies.join());
});

inBucket.test("a list of several pages has each object once", async (server) => {
  const store = await openBucket(server.url, server.options);
  const keys = Array.from(
    { length: 5 },
    (_, index) => `v1/a&b/${String(index).padStart(2, "0")}`,
  );
  for (const key of keys) await store.put(key, bytesOf(key));
  server.page_size = 2;
  server.requests.length = 0;
  const pages = await Array.fromAsync(store.list("v1/a&"));
  assert.deepEqual(pages.map(({ length }) => length), [2, 2, 1]);
  assert.deepEqual(pages.flat().map(({ key }) => key), keys);
  assert.equal(server.requests.length, 3);
});

Deno.test("a conditional write loses against another one, where the server compares", async () => {
  await withBucket(async ({ url, options }) => {
    const store = await openBucket(url, options);
    const first = await store.put("head", bytesOf("1"), null);
    assert.ok(first !== undefined);
    assert.equal(await store.put("head", bytesOf("x"), null), undefined);
    assert.ok(await store.put("head", bytesOf("2"), first) !== undefined);
    assert.equal(await store.put("head", bytesOf("x"), first), undefined);
    assert.equal(await textOf(store, "head"), "2");
  });
  await withBucket(async ({ url, options }) => {
    const store = await openBucket(url, options);
    await store.put("head", bytesOf("1"), null);
    assert.ok(await store.put("head", bytesOf("2"), null) !== undefined);
  }, { compares: false });
});

inBucket.test("a server without conditional writes is written to without", async (server) => {
  server.fail = ({ headers }) =>
    headers["if-none-match"] === undefined ? undefined : { status: 501, carried_out: false };
  const store = await openBucket(server.url, server.options);
  await store.put("a", bytesOf("1"), null);
  await store.put("b", bytesOf("2"), null);
  assert.deepEqual([await textOf(store, "a"), await textOf(store, "b")], ["1", "2"]);
  assert.equal(server.requests.filter(({ method }) => method === "PUT").length, 3);
});

Deno.test("failures that pass are tried again, with bounds", async () => {
  for (const status of [429, 500, 503]) {
    await withBucket(async (server) => {
      let failures = 3;
      server.fail = () => failures-- > 0 ? { status, carried_out: false } : undefined;
      const store = await openBucket(server.url, server.options);
      await store.put("a", bytesOf("1"));
      assert.equal(server.requests.length, 4);
      failures = Infinity;
      await assert.rejects(store.get("a", 10), failsWith("unreachable", `status ${status}`));
      assert.equal(server.requests.length, 8);
    });
  }
});

inBucket.test("a conditional write whose answer was lost is recognized as written", async (server) => {
  const store = await openBucket(server.url, server.options);
  const lose = (): void => {
    let failures = 1;
    server.fail = () => failures-- > 0 ? { status: 500, carried_out: true } : undefined;
  };
  lose();
  const tag = await store.put("a", bytesOf("1"), null);
  assert.equal((await store.get("a", 1))?.tag, tag);
  // Another device wrote first: bytes of the same length do not pass for one's own.
  server.fail = undefined;
  await store.put("b", bytesOf("other"));
  let failures = 1;
  server.fail = () => failures-- > 0 ? { status: 500, carried_out: false } : undefined;
  assert.equal(await store.put("b", bytesOf("tried"), null), undefined);
  assert.equal(await textOf(store, "b"), "other");
});

inBucket.test("wrong keys, a missing bucket and a large object are told in one line", async ({ url, options, requests }) => {
  const wrong = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "a secret" };
  const refused = await openBucket(url, accountOf(wrong));
  await assert.rejects(refused.get("a", 1), failsWith("permission", "SignatureDoesNotMatch"));
  const missing = await openBucket(url.replace("//team", "//other"), options);
  await assert.rejects(missing.get("a", 1), failsWith("not-found", "no bucket other"));
  await assert.rejects(missing.put("a", bytesOf("")), failsWith("not-found"));
  const store = await openBucket(url, options);
  await store.put("a", bytesOf("12345"));
  await assert.rejects(store.get("a", 4), failsWith("too-large", "more than 4 bytes"));
  assert.ok(requests.every(({ headers }) => !JSON.stringify(headers).includes("a secret")));
});

Deno.test("a server that is gone is unreachable", async () => {
  let url = "";
  await withBucket(async (server) => await Promise.resolve(void (url = server.url)));
  const store = await openBucket(url, accountOf());
  await assert.rejects(store.get("a", 1), failsWith("unreachable", "refused"));
});
