/** A server that lies, floods and dawdles: each is stopped, and told in one line. */
import assert from "node:assert/strict";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import type { ObjectStore } from "../../../../lib/features/team/objects/object_store.ts";
import { parseListPage } from "../../../../lib/features/team/s3/list_page.ts";
import { openBucket, type S3Options } from "../../../../lib/features/team/s3/s3_object_store.ts";
import { accountOf } from "../../../_support/bucket_server.ts";
import { endless, endlessGzip, RawServer, slowly } from "../../../_support/raw_server.ts";

const OBJECT = "<Contents><Key>p/v1/a</Key><Size>3</Size><ETag>&quot;e&quot;</ETag></Contents>";
const END = "<IsTruncated>false</IsTruncated>";

function list(inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3">${inner}` +
    "</ListBucketResult>";
}

async function withHostile(
  answer: () => Response,
  test: (store: ObjectStore, server: RawServer) => Promise<void>,
  bounds: Partial<S3Options> = {},
): Promise<void> {
  await using server = new RawServer(answer);
  const url = `s3://team/p?endpoint=${server.origin}`;
  await using store = await openBucket(url, { ...accountOf(), try_ms: 30_000, ...bounds });
  await test(store, server);
}

async function errorOf(work: Promise<unknown>): Promise<[code: string, message: string]> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof SessionError, String(error));
    assert.ok(!error.message.includes("\n") && error.message.length < 300, error.message);
    return [error.code, error.message];
  }
  throw new Error("nothing was thrown");
}

Deno.test("reads a list as S3 and its relatives write it", () => {
  assert.deepEqual(parseListPage(list(OBJECT + END)), {
    objects: [{ key: "p/v1/a", size: 3, tag: "e" }],
  });
  const inner = '<Name>b</Name><Prefix/><Contents x="y"><Owner><ID>1</ID></Owner>' +
    '<Key>a&amp;&#60;&#x1F600;</Key><ETag>W/"f"</ETag><Size>0</Size></Contents>\n' +
    "<NextContinuationToken>t=</NextContinuationToken><IsTruncated>true</IsTruncated>";
  assert.deepEqual(parseListPage(`\uFEFF${list(inner)}\n`), {
    objects: [{ key: "a&<\u{1F600}", size: 0, tag: "f" }],
    next: "t=",
  });
});

Deno.test("rejects what is no list", async () => {
  const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>';
  const broken: readonly string[] = [
    ...["", "<", "[]", "<html></html>", "<ListBucketResult>", list(OBJECT), `${list(END)}<a/>`],
    ...[`${entities}${list(END)}`, list(`${END}<!-- ${OBJECT} -->`), list(`<a></b>${END}`)],
    ...[
      list("<IsTruncated>true</IsTruncated>"),
      list(`${"<a>".repeat(9)}${"</a>".repeat(9)}${END}`),
      list(`${"<a/>".repeat(100_000)}${END}`),
    ],
    ...[OBJECT.replace("3", "-3"), OBJECT.replace("3", "1e9"), OBJECT.replace("p/v1/a", "")].map(
      (object) => list(object + END),
    ),
    ...[OBJECT.replace("p/v1/a", "q/v1/a"), OBJECT.replace("p/v1/a", "p/v2")].map((object) =>
      list(object + END)
    ),
  ];
  for (const text of broken) {
    await withHostile(() => new Response(text), async (store) => {
      const [code] = await errorOf(Array.fromAsync(store.list("v1/")));
      assert.equal(code, "damaged", text);
    });
  }
});

Deno.test("a long text that is no list is read in linear time", () => {
  for (const piece of ["<a ", "<", "&amp;", "<a>", "<a b='", " "]) {
    const text = `<ListBucketResult>${piece.repeat(300_000)}`;
    const begun = performance.now();
    assert.equal(parseListPage(text), undefined);
    assert.ok(performance.now() - begun < 5000, piece);
  }
});

Deno.test("a list without an end is stopped", async () => {
  const page = (token: string): string =>
    list(`<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`);
  await withHostile(() => new Response(page("again")), async (store, { received }) => {
    assert.equal((await errorOf(Array.fromAsync(store.list(""))))[0], "damaged");
    assert.equal(received.length, 2);
  });
  // In UTF-8, a key has at most 1,024 bytes.
  const long = OBJECT.replace("v1/a", "\u00e9".repeat(512));
  const tagged = OBJECT.replace("e&quot;", "e".repeat(2000));
  await withHostile(() => new Response(list(long + tagged + OBJECT + END)), async (store) => {
    const pages = await Array.fromAsync(store.list(""));
    assert.deepEqual(pages.flat().map(({ key }) => key), ["v1/a"]);
  });
  let number = 0;
  await withHostile(() => new Response(page(`${number++}`)), async (store, { received }) => {
    assert.equal((await errorOf(Array.fromAsync(store.list(""))))[0], "too-large");
    assert.equal(received.length, 21);
  }, { max_pages: 20 });
});

// Slow: an answer must be longer than what is read of it.
Deno.test("an answer without an end is stopped, packed or not", async () => {
  for (const gzip of [false, true]) {
    for (const status of [200, 403]) {
      const sent: (() => number)[] = [];
      const answer = (): Response => {
        const body = gzip ? endlessGzip() : endless("<a>".repeat(20_000));
        sent.push(body.sent);
        const headers = { etag: '"e"', ...(gzip && { "content-encoding": "gzip" }) };
        return new Response(body.body, { status, headers });
      };
      await withHostile(answer, async (store) => {
        const expected = status === 200 ? "too-large" : "permission";
        assert.equal((await errorOf(store.get("a", 100_000)))[0], expected);
        assert.equal((await errorOf(store.put("a", new Uint8Array(9))))[0], expected);
        assert.equal((await errorOf(Array.fromAsync(store.list(""))))[0], expected);
        for (const bytes of sent) assert.ok(bytes() < 64 * 1024 * 1024, `${bytes()}`);
      });
    }
  }
});

// Slow: the request must have arrived before the time is up, also on a busy machine.
Deno.test("a server that dawdles is left after one try", async () => {
  const answer = (): Response => new Response(slowly("x", "x").body, { headers: { etag: '"e"' } });
  await withHostile(answer, async (store, { received }) => {
    const [code, message] = await errorOf(store.get("a", 100_000));
    assert.deepEqual([code, received.length], ["unreachable", 1]);
    assert.match(message, /does not answer in time/);
  }, { try_ms: 400 });
});

Deno.test("keys and objects do not follow a redirect, and its answer is not repeated", async () => {
  await using other = new RawServer(() => new Response("there", { headers: { etag: '"e"' } }));
  const headers = { location: `${other.origin}/x` };
  await withHostile(
    () => new Response("<Message>a\u001b[31m", { status: 307, headers }),
    async (store) => {
      const [code, message] = await errorOf(store.put("a", new Uint8Array(9)));
      assert.equal(code, "io");
      assert.ok(!message.includes("\u001b") && !message.includes("/x"), message);
    },
  );
  assert.equal(other.received.length, 0);
  const moved = { "x-amz-bucket-region": "eu-central-1" };
  await withHostile(() => new Response("", { status: 301, headers: moved }), async (store) => {
    const [code, message] = await errorOf(store.get("a", 1));
    assert.deepEqual([code, /region=eu-central-1 to the address$/.test(message)], [
      "invalid-config",
      true,
    ]);
  });
});

Deno.test("an object without an ETag, and a connection that breaks, are no object", async () => {
  await withHostile(() => new Response("abc"), async (store) => {
    assert.equal((await errorOf(store.get("a", 10)))[0], "damaged");
    assert.equal((await errorOf(store.put("a", new Uint8Array(1))))[0], "damaged");
  });
  const cut = (): Response =>
    new Response(
      new ReadableStream({
        start(controller): void {
          controller.enqueue(new TextEncoder().encode("ab"));
          setTimeout(() => controller.error(new Error("cut")), 5);
        },
      }),
      { headers: { etag: '"e"' } },
    );
  await withHostile(cut, async (store, { received }) => {
    assert.equal((await errorOf(store.get("a", 10)))[0], "unreachable");
    assert.equal(received.length, 4);
  });
});
