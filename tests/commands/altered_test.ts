/** Altered content carries a mark wherever it is shown. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { AcpClient } from "../_support/acp_client.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { talkAbout } from "../frontends/mcp/_history.ts";

/** Changes a text of a log, and with it one letter of its checksum's name where that is asked for. */
function alter(path: string, [from, to]: [string, string], without_checksum: boolean): void {
  const lines = Deno.readTextFileSync(path).split("\n").map((line) => {
    if (!line.includes(from)) return line;
    const changed = line.replace(from, to);
    return without_checksum ? changed.replace(',"crc":"', ',"crb":"') : changed;
  });
  Deno.writeTextFileSync(path, lines.join("\n"));
}

for (const without_checksum of [false, true]) {
  const how = without_checksum ? "whose checksum is damaged too" : "whose checksum does not fit";

  inHome.test(`P2 a text that was altered is marked in every view, ${how}`, async (home) => {
    const { id, path } = home.keep(sessionId("aaaa"), [user("Pay Ada"), assistant("I paid Ada")]);
    alter(path, ["I paid Ada", "I paid Bob"], without_checksum);
    const views = await home.runAll([
      ["show", id],
      ["search", "paid"],
      ...["html", "md", "text"].map((format) => ["export", id, "--format", format]),
    ]);
    for (const { stdout } of views) {
      assert.match(stdout, /Bob/);
      assert.match(stdout, /checksum mismatch/i);
    }
    const [found, whole, atif, verified, conversation] = await home.runAll([
      ["search", "paid", "--json"],
      ["export", id, "--format", "json"],
      ["export", id, "--format", "atif"],
      ["doctor", id],
      ["conversation", id],
    ]);
    for (const { stdout = "" } of [found ?? {}, whole ?? {}, atif ?? {}]) {
      assert.match(stdout, /"integrity": ?"mismatch"/);
    }
    assert.equal(verified?.status, 1);
    assert.match(verified?.stdout ?? "", /checksum-mismatch/);
    assert.match(conversation?.stderr ?? "", /checksum-mismatch/);
  });

  inHome.test(`P2 a title that was altered is marked in lists, ${how}`, async (home) => {
    const { path } = home.keep(sessionId("aaaa"), [user("Pay Ada"), assistant("Done")]);
    home.keep(sessionId("bbbb"), [user("Other work"), assistant("Done")]);
    alter(path, ["Pay Ada", "Pay Bob"], without_checksum);
    // The second time, the catalogue answers.
    for (const _ of [1, 2]) {
      const [table, json] = await home.runAll([["list"], ["list", "--json"]]);
      assert.match(table?.stdout ?? "", /\[altered\] Pay Bob/);
      assert.doesNotMatch(table?.stdout ?? "", /\[altered\] Other/);
      const rows = jsonLines(json?.stdout ?? "");
      assert.deepEqual(rows.map(({ title, altered }) => [title, altered]), [
        ["Other work", undefined],
        ["Pay Bob", true],
      ]);
    }
    const found = await home.run(["search", "Done", "--sort", "time"]);
    assert.match(found.stdout, /\[altered\] Pay Bob/);
  });
}

for (const format of ["html", "md", "text"]) {
  inHome.test(`P2 a title that was altered is marked in the heading of ${format}`, async (home) => {
    const altered = home.keep(sessionId("aaaa"), [user("Pay Ada"), assistant("Done")]);
    const whole = home.keep(sessionId("bbbb"), [user("Pay Eve"), assistant("Done")]);
    alter(altered.path, ["Pay Ada", "Pay Bob"], false);
    const [marked, unmarked] = await home.runAll(
      [altered.id, whole.id].map((id) => ["export", id, "--format", format]),
    );
    const heading = format === "html" ? "<h1[^>]*>" : format === "md" ? "# " : "^";
    assert.match(marked?.stdout ?? "", new RegExp(`${heading}\\\\?\\[altered\\\\?\\] Pay Bob`));
    if (format === "html") assert.match(marked?.stdout ?? "", /<title>\[altered\] Pay Bob</);
    assert.match(unmarked?.stdout ?? "", new RegExp(`${heading}Pay Eve`));
  });
}

inHome.test("P2 a title that was altered is marked in every table of what was removed", async (home) => {
  const { path } = home.keep(sessionId("aaaa"), [user("Pay Ada"), assistant("Done")]);
  home.keep(sessionId("bbbb"), [user("Pay Eve"), assistant("Done")]);
  alter(path, ["Pay Ada", "Pay Bob"], false);
  const shown = async (...args: string[]): Promise<void> => {
    const [table, json] = await home.runAll([args, [...args, "--json"]]);
    assert.match(table?.stdout ?? "", /\[altered\] Pay Bob/, args.join(" "));
    assert.match(table?.stdout ?? "", / {2}Pay Eve$/m, args.join(" "));
    const rows = (json?.stdout ?? "").match(/"altered":true/g);
    assert.equal(rows?.length, 1, args.join(" "));
  };
  await shown("delete", "--max-size", "10B", "--dry-run");
  const deleted = await home.run(["delete", "aaaa", "bbbb", "--json"]);
  assert.deepEqual(
    jsonLines(deleted.stdout).map(({ title, altered }) => [title, altered]),
    [["Pay Bob", true], ["Pay Eve", undefined]],
  );
  await shown("trash", "list");
  await shown("trash", "empty", "--dry-run");
  const restored = await home.run(["trash", "restore", "aaaa", "--json"]);
  assert.equal(jsonLines(restored.stdout)[0]?.altered, true);
  // What was put there by hand has no record.
  await home.run(["delete", "aaaa"]);
  await Deno.remove(`${home.store}/trash/tombstones.jsonl`);
  await shown("trash", "list");
});

inHome.test("P2 an index that knew a text as it was written marks it once it is altered", async (home) => {
  const { path } = home.keep(sessionId("aaaa"), [user("Pay Ada"), assistant("I paid Ada")]);
  await home.run(["index", "build"]);
  alter(path, ["I paid Ada", "I paid Bob"], true);
  const { stdout } = await home.run(["search", "paid"]);
  assert.match(stdout, /\[checksum mismatch\] .*I paid Bob/);
});

inHome.test("P2 a copy does not vouch for a title that was altered", async (home) => {
  const { id, path } = home.keep(sessionId("aaaa"), [user("Pay Ada"), assistant("Done")]);
  alter(path, ["Pay Ada", "Pay Bob"], false);
  assert.equal((await home.run(["fork", id])).status, 0);
  const rows = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.deepEqual(rows.map(({ title, altered }) => [title, altered]), [
    ["Pay Bob", true],
    ["Pay Bob", true],
  ]);
});

inHome.test("P2 a title that was altered stays marked in copies of its session", async (home) => {
  const titled = { title: "Pay Ada" };
  const renaming: NewEvent = { kind: "session_renamed", payload: titled };
  const head = home.keep(sessionId("aaaa"), [user("Hello"), assistant("Hi")], titled);
  const renamed = home.keep(sessionId("bbbb"), [user("Hello"), assistant("Hi"), renaming]);
  for (const { path } of [head, renamed]) alter(path, ["Pay Ada", "Pay Bob"], false);
  const copy = join(home.path, "copy.jsonl");
  await home.run(["export", head.id, "--format", "jsonl", "--no-redact", "--out", copy]);
  await Deno.remove(head.directory, { recursive: true });
  const made = await home.run(["import", copy]);
  assert.equal(made.status, 0, made.stderr);
  const imported = made.stdout.trim();
  const copies = [
    ...["fork"].flatMap((name) => [[name, imported], [name, `${imported}#2`]]),
    ["fork", `${renamed.id}#2`],
    ["merge", imported, renamed.id],
  ];
  for (const line of copies) {
    await home.succeed(line);
  }
  const given = await home.run(["fork", `${renamed.id}#2`, "--title", "My own"]);
  assert.equal(given.status, 0, given.stderr);
  const { stdout } = await home.run(["list", "--all", "--json"]);
  const rows = jsonLines(stdout).map(({ title, altered }) => [title, altered]);
  assert.equal(rows.length, 7);
  for (const [title, altered] of rows) {
    assert.equal(altered, title === "My own" ? undefined : true, String(title));
  }
});

inHome.test("P2 a title that was altered is marked where agents and editors list sessions", async (home) => {
  const { id, path } = home.keep(sessionId("aaaa"), [user("Pay Ada"), assistant("Done")]);
  alter(path, ["Pay Ada", "Pay Bob"], false);
  const { id: other } = home.keep(sessionId("bbbb"), [user("Pay Eve")], { cwd: home.path });
  await using talk = await talkAbout(home);
  for (const [name, args] of Object.entries({ list_sessions: {}, read_session: { ref: id } })) {
    assert.match(await talk.call(name, args), /\[altered\] Pay Bob/, name);
  }
  await using editor = new AcpClient(home);
  await editor.initialize();
  const { sessions } = await editor.agent.request("session/list", { cwd: home.path });
  assert.deepEqual(sessions.map(({ title }) => title).sort(), [
    ...["Pay Eve", "[altered] Pay Bob"],
  ]);
  const [completed, compared] = await home.runAll([
    ["completions", "fish", "--", "show", "aa"],
    ["diff", id, other],
  ]);
  assert.match(compared?.stdout ?? "", /\[altered\] Pay Bob/, compared?.stderr);
  assert.match(completed?.stdout ?? "", /\[altered\] Pay Bob/, completed?.stderr);
});
