import { eventually } from "../_support/eventually.ts";
import assert from "node:assert/strict";
import { connect } from "node:net";
import { join } from "node:path";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { putProgram } from "./_fake_agent.ts";

const ID = sessionId("aaaa");
const unix = Deno.build.os !== "windows";

function usedHome(): CliHome {
  const home = new CliHome();
  home.keep(ID, [user("Where is the zebra?"), assistant("Here")], { title: "Zebra hunt" });
  return home;
}

/** Sends bytes as they are; gives the status line of the answer. */
function statusLine(address: string, request: string): Promise<string> {
  const { port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(request));
    let text = "";
    socket.on("data", (data) => text += data.toString());
    socket.on("close", () => resolve(text.split("\r\n")[0] ?? ""));
    socket.on("error", reject);
  });
}

Deno.test("open prints an address with a token, and serves the pages there", async () => {
  await using home = usedHome();
  const program = home.start(["open", "--no-browser"]);
  try {
    const address = await program.line() ?? "";
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
    const page = await fetch(address);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Zebra hunt/);
    const head = await fetch(address, { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [200, ""]);
    const { host } = new URL(address);
    const path = new URL(address).pathname;
    const refused = [
      ["GET / HTTP/1.1", `Host: ${host}`],
      [`GET ${path} HTTP/1.1`, "Host: evil.example"],
      [`GET ${path} HTTP/1.1`, `Host: ${host}`, "Origin: http://evil.example"],
      [`GET ${path} HTTP/1.1`, `Host: ${host}`, "Sec-Fetch-Site: cross-site"],
      [`GET ${path.slice(0, -2)}/ HTTP/1.1`, `Host: ${host}`],
    ];
    for (const lines of refused) {
      const request = [...lines, "Connection: close", "", ""].join("\r\n");
      assert.match(await statusLine(address, request), / 403 /, lines.join("; "));
    }
    const posted = await fetch(address, { method: "POST", body: "x" });
    assert.equal(posted.status, 405);
    await posted.body?.cancel();
  } finally {
    program.kill("SIGTERM");
    await program.end();
  }
});

Deno.test({
  name: "open of an event leads to its place, and ^C ends it",
  ignore: !unix,
  fn: async () => {
    await using home = usedHome();
    const program = home.start(["open", "aaaa#3", "--no-browser"]);
    const address = await program.line() ?? "";
    assert.ok(address.endsWith(`/session?ref=${ID}&seq=3#e3`), address);
    assert.match(await (await fetch(address)).text(), /id="e3"/);
    program.kill("SIGINT");
    const { status, stderr } = await program.end();
    assert.deepEqual([status, stderr], [0, ""]);
  },
});

Deno.test("open of a session that is not there says so", async () => {
  await using home = usedHome();
  const { status, stdout, stderr } = await home.run(["open", "ffff0000", "--no-browser"]);
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /Cannot find session "ffff0000"/);
});

Deno.test("open of a thread asks for its session", async () => {
  await using home = usedHome();
  const { status, stdout, stderr } = await home.run(["open", "--thread", "x", "--no-browser"]);
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /--thread needs REF/);
});

Deno.test({
  name: "open starts the system's program for addresses, but none of the project's own",
  ignore: !unix,
  fn: async () => {
    await using home = usedHome();
    const name = Deno.build.os === "darwin" ? "open" : "xdg-open";
    const taken = join(home.path, "taken");
    putProgram(home, name, `echo "$1" >'${taken}.new'; mv '${taken}.new' '${taken}'`);
    const own = join(home.work, "bin");
    putProgram(home, name, `echo project >'${taken}'`, own);
    const PATH = `bin:${own}:${join(home.path, "bin")}:${Deno.env.get("PATH")}`;
    const program = home.start(["open"], { env: { PATH } });
    try {
      const address = await eventually(async () =>
        await Deno.readTextFile(taken).catch(() => "") || undefined
      );
      assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/\n$/);
    } finally {
      program.kill("SIGINT");
      const { stdout, stderr } = await program.end();
      assert.equal(stdout, "");
      assert.match(stderr, /^Opening the browser; \^C ends it: http:[^\n]*\n$/);
    }
  },
});

Deno.test({
  name: "open says when no browser opened, as where there is no screen",
  ignore: !unix,
  fn: async () => {
    await using home = usedHome();
    const name = Deno.build.os === "darwin" ? "open" : "xdg-open";
    const env = putProgram(home, name, "exit 3");
    const program = home.start(["open"], { env });
    const lines = [await program.errorLine(), await program.errorLine()];
    program.kill("SIGINT");
    await program.end();
    assert.match(lines[0] ?? "", /^Opening the browser; /);
    assert.equal(lines[1], "No browser opened: open the address above in one");
  },
});
