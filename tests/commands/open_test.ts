import { eventually } from "../_support/eventually.ts";
import assert from "node:assert/strict";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { putProgram } from "./_fake_agent.ts";
import { testsWith } from "../_support/tests_in.ts";
import { UNIX } from "../_support/needing.ts";

const inUsedHome = testsWith(usedHome);
const onUsedHome = testsWith(usedHome, UNIX);

const ID = sessionId("aaaa");

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

/** Uses an address as the first browser does; gives the header of its cookie. */
async function enter(address: string): Promise<{ cookie: string }> {
  const response = await fetch(address);
  assert.equal(response.status, 200);
  assert.match(await response.text(), /http-equiv="refresh"/);
  const [cookie = ""] = response.headers.get("set-cookie")?.split(";") ?? [];
  return { cookie };
}

inUsedHome.test("open prints an address with a token, and serves the pages there", async (home) => {
  const program = home.talk(["open", "--no-browser"]);
  try {
    const address = await program.line() ?? "";
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
    const headers = await enter(address);
    for (const visit of ["the first", "a second tab"]) {
      const page = await fetch(address, { headers });
      assert.equal(page.status, 200, visit);
      assert.match(await page.text(), /Zebra hunt/, visit);
    }
    const again = await fetch(address);
    assert.equal(again.status, 403);
    assert.match(
      await again.text(),
      /this address was already used; for a new address: reprise open/,
    );
    const head = await fetch(address, { method: "HEAD", headers });
    assert.deepEqual([head.status, await head.text()], [200, ""]);
    const { host, port } = new URL(address);
    // Linux answers for all of 127.0.0.0/8 where a server listens on every address.
    const others = ["::1", ...Deno.build.os === "linux" ? ["127.0.0.2"] : []];
    for (const hostname of others) await assert.rejects(Deno.connect({ hostname, port: +port }));
    const path = new URL(address).pathname;
    const refused = [
      ["GET / HTTP/1.1", `Host: ${host}`],
      [`GET ${path} HTTP/1.1`, "Host: evil.example"],
      [`GET ${path} HTTP/1.1`, `Host: ${host}`, "Origin: http://evil.example"],
      [`GET ${path} HTTP/1.1`, `Host: ${host}`, "Sec-Fetch-Site: cross-site"],
      [`GET ${path.slice(0, -2)}/ HTTP/1.1`, `Host: ${host}`],
    ];
    for (const lines of refused) {
      const request = [...lines, `Cookie: ${headers.cookie}`, "Connection: close", "", ""].join(
        "\r\n",
      );
      assert.match(await statusLine(address, request), / 403 /, lines.join("; "));
    }
    const posted = await fetch(address, { method: "POST", body: "x" });
    assert.equal(posted.status, 405);
    await posted.body?.cancel();
  } finally {
    program.kill("SIGINT");
    await program.end();
  }
});

// Slow: processes of the program start.
onUsedHome.test("open of an event leads to its place, and ^C ends it", async (home) => {
  const program = home.start(["open", "aaaa#3", "--no-browser"]);
  const address = await program.line() ?? "";
  assert.ok(address.endsWith(`/session?ref=${ID}&seq=3#e3`), address);
  const headers = await enter(address);
  assert.match(await (await fetch(address, { headers })).text(), /id="e3"/);
  program.kill("SIGINT");
  const { status, stderr } = await program.end();
  assert.deepEqual([status, stderr], [0, ""]);
});

inUsedHome.test("open of a session that is not there says so", async (home) => {
  const { status, stdout, stderr } = await home.run(["open", "ffff0000", "--no-browser"]);
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /Cannot find session "ffff0000"/);
});

inUsedHome.test("open of a thread asks for its session", async (home) => {
  const { status, stdout, stderr } = await home.run(["open", "--thread", "x", "--no-browser"]);
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /--thread needs REF/);
});

onUsedHome.test("open gives the system's program a file of its own, and no address with a secret", async (home) => {
  const name = Deno.build.os === "darwin" ? "open" : "xdg-open";
  const taken = join(home.path, "taken");
  putProgram(home, name, `echo "$1" >'${taken}.new'; mv '${taken}.new' '${taken}'`);
  const own = join(home.work, "bin");
  putProgram(home, name, `echo project >'${taken}'`, own);
  const PATH = `bin:${own}:${join(home.path, "bin")}:${Deno.env.get("PATH")}`;
  const program = home.talk(["open"], { env: { PATH } });
  try {
    const file = await eventually(async () =>
      (await Deno.readTextFile(taken).catch(() => "")).trimEnd() || undefined
    );
    assert.match(file, /^\/\S+\/reprise\.html$/);
    const modes = [file, dirname(file)].map((path) => (Deno.statSync(path).mode ?? 0) & 0o777);
    assert.deepEqual(modes, [0o600, 0o700]);
    const html = await Deno.readTextFile(file);
    const [, address = ""] = /content="0; url=(http:[^"]+)"/.exec(html) ?? [];
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
    const headers = await enter(address);
    assert.throws(() => Deno.statSync(dirname(file)), Deno.errors.NotFound, "it was used");
    assert.match(await (await fetch(address, { headers })).text(), /Zebra hunt/);
  } finally {
    program.kill("SIGINT");
    const { stdout, stderr } = await program.end();
    assert.equal(stdout, "");
    assert.match(stderr, /^Opening the browser; press \^C to stop: http:[^\n]*\n$/);
  }
});

// Slow: processes of the program start.
onUsedHome.test("open removes the file that no browser used", async (home) => {
  const name = Deno.build.os === "darwin" ? "open" : "xdg-open";
  const temporary = join(home.path, "temporary");
  await Deno.mkdir(temporary);
  const env = { ...putProgram(home, name, "exit 0"), TMPDIR: temporary };
  const program = home.start(["open"], { env });
  assert.match(await program.errorLine() ?? "", /^Opening the browser; /);
  assert.equal([...Deno.readDirSync(temporary)].length, 1);
  program.kill("SIGINT");
  await program.end();
  assert.deepEqual([...Deno.readDirSync(temporary)], []);
  // Where none can be made, the address is printed.
  const bare = home.start(["open"], { env: { ...env, TMPDIR: join(home.path, "gone") } });
  assert.match(await bare.line() ?? "", /^http:\/\/127\.0\.0\.1:/);
  bare.kill("SIGINT");
  await bare.end();
});

inUsedHome.test("two servers of one host keep to their own browsers", async (home) => {
  const programs = [0, 1].map(() => home.talk(["open", "--no-browser"]));
  const [one = "", other = ""] = await Promise.all(programs.map((program) => program.line()));
  const [first, second] = [await enter(one), await enter(other)];
  const status = async (address: string, cookie: string): Promise<number> => {
    const response = await fetch(address, { headers: { cookie } });
    await response.body?.cancel();
    return response.status;
  };
  assert.deepEqual([await status(one, first.cookie), await status(other, second.cookie)], [
    ...[200, 200],
  ]);
  assert.deepEqual([await status(one, second.cookie), await status(other, first.cookie)], [
    ...[403, 403],
  ]);
  const both = `${first.cookie}; ${second.cookie}`;
  assert.deepEqual([await status(one, both), await status(other, both)], [200, 200]);
  for (const program of programs) {
    program.kill("SIGINT");
    await program.end();
  }
});

onUsedHome.test("open says when no browser opened, as where there is no screen", async (home) => {
  const name = Deno.build.os === "darwin" ? "open" : "xdg-open";
  const env = putProgram(home, name, "exit 3");
  const program = home.talk(["open"], { env });
  const lines = [await program.errorLine(), await program.errorLine()];
  program.kill("SIGINT");
  await program.end();
  assert.match(lines[0] ?? "", /^Opening the browser; /);
  assert.equal(lines[1], "No browser opened. Open the address above yourself");
});
