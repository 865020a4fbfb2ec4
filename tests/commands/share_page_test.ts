import assert from "node:assert/strict";
import { join } from "node:path";
import { ACCOUNT, type BucketServer, withBucket } from "../_support/bucket_server.ts";
import type { CliResult } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { textBelow } from "../_support/files_below.ts";
import { user } from "../_support/log_bytes.ts";
import { testsIn } from "../_support/tests_in.ts";

// Put together here, so that nobody takes it for one that is in use.
const TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

/** A home with two sessions and the keys of a bucket. */
class SharingHome extends CliHome {
  constructor(readonly server: BucketServer) {
    super();
    this.keep(sessionId("aaaa"), [user(`Use ${TOKEN}, please`)], { title: `Try ${TOKEN}` });
    this.keep(sessionId("bbbb"), [user("Hello")]);
  }

  export(...args: string[]): Promise<CliResult> {
    return this.run(["export", ...args], { env: ACCOUNT });
  }

  async share(ref: string, ...args: string[]): Promise<string> {
    const result = await this.export(ref, "--share", this.server.url, "--yes", ...args);
    assert.equal(result.status, 0, result.stderr);
    return result.stdout.trimEnd();
  }
}

const sharing = testsIn<SharingHome>((test) =>
  withBucket(async (server) => {
    await using home = new SharingHome(server);
    await test(home);
  })
);

async function statusOf(address: string): Promise<number> {
  const response = await fetch(address);
  await response.body?.cancel();
  return response.status;
}

sharing.test("export --share uploads a page without secrets, which its address alone shows", async (home) => {
  const { status, stdout, stderr } = await home.export("aaaa", "--share", home.server.url, "-y");
  assert.equal(status, 0, stderr);
  assert.match(
    stderr,
    /^Replaced 1 secret in \d places:[^]*Page of aaaa[^]*readers: .* for 1 day\n/,
  );
  assert.match(stderr, /\nTo delete the page: reprise export --unshare \S*aaaa\S*\n$/);
  assert.ok(!`${stdout}${stderr}`.includes(TOKEN));
  const address = new URL(stdout.trimEnd());
  assert.equal(address.searchParams.get("X-Amz-Expires"), "86400");
  const response = await fetch(address);
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
  const page = await response.text();
  assert.match(page, /Use .*, please/);
  assert.ok(!page.includes(TOKEN));
  // The name does not tell which session it is, and the signature holds for this page alone.
  assert.match(address.pathname, /^\/team\/sessions\/[0-9a-f-]{36}\.html$/);
  assert.equal(await statusOf(address.href.replace(/\?.*/, "")), 403);
  assert.equal(await statusOf(address.href.replace("86400", "604800")), 403);
});

sharing.test("export --shared lists pages, and --unshare deletes those of a session or address", async (home) => {
  const first = await home.share("aaaa");
  const again = await home.share("aaaa", "--days", "7");
  const other = await home.share("bbbb");
  const { stdout } = await home.export("--shared");
  assert.equal(stdout.split("\n").length, 5, stdout);
  for (const address of [first, again, other]) {
    assert.ok(stdout.includes(address.replace(/\?.*/, "")));
  }
  assert.ok(!`${stdout}${textBelow(join(home.store, "shared-pages"))}`.includes("Signature"));
  const withdrawn = await home.export("--unshare", "aaaa");
  assert.equal(withdrawn.status, 0, withdrawn.stderr);
  assert.deepEqual(await Promise.all([first, again, other].map(statusOf)), [404, 404, 200]);
  const by_address = await home.export("--unshare", other);
  assert.equal(by_address.status, 0, by_address.stderr);
  assert.equal(await statusOf(other), 404);
  const none = await home.export("--shared");
  assert.deepEqual([none.stdout, none.stderr], ["", "No page is shared\n"]);
  assert.equal((await home.export("--unshare", "aaaa")).status, 1);
});

// Slow: an upload is tried again where a server is not available.
sharing.test("a page that may have been uploaded is listed and can be withdrawn, a refused one is not", async (home) => {
  const share = ["aaaa", "--share", home.server.url, "--yes"];
  for (const [status, listed] of [[403, ""], [503, /^aaaa .*\.html$/m]] as const) {
    home.server.fail = ({ method }) => {
      return method === "PUT" ? { status, carried_out: status === 503 } : undefined;
    };
    const failed = await home.export(...share);
    assert.deepEqual([failed.status, failed.stdout], [1, ""]);
    home.server.fail = undefined;
    const { stdout } = await home.export("--shared");
    if (listed === "") assert.equal(stdout, "");
    else assert.match(stdout, listed);
  }
  home.server.fail = () => ({ status: 403, carried_out: false });
  const refused = await home.export("--unshare", "aaaa");
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /Cannot delete the page: .* denied access/);
  home.server.fail = undefined;
  assert.equal((await home.export("--unshare", "aaaa")).status, 0);
  assert.equal((await home.export("--unshare", "expired")).stderr, "No page has expired\n");
  assert.equal((await home.export("--shared")).stdout, "");
});
