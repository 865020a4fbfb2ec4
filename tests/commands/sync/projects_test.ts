/** `sync add` and `sync remove`: what is chosen to leave. No store is asked. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { newTreeLines } from "../../../commands/sync/added_project.ts";
import { openLibrary } from "../../../lib/library/mod.ts";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/mod.ts";
import { readSyncSettings, writeSyncSettings } from "../../../lib/features/team/sync_settings.ts";
import { sessionsToShare } from "../../../lib/features/team/sessions_to_share.ts";
import type { SyncSettings } from "../../../lib/features/team/shared_project.ts";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { setRemote } from "../../_support/team_homes.ts";
import { addWorkTree, makeMainTree } from "../../_support/work_tree.ts";
import { keepPiSession } from "../_pi_session.ts";

const SECRET = "AKIA" + "IOSFODNN7EXAMPLQ";

function joined(home: CliHome): SyncSettings {
  const settings: SyncSettings = {
    version: 1,
    url: "postgresql://ann@db.example.com/team",
    device: { id: crypto.randomUUID(), label: "laptop" },
    projects: [],
  };
  writeSyncSettings(home.store, settings);
  return settings;
}

function projects(home: CliHome): SyncSettings["projects"] {
  return readSyncSettings(home.store)?.projects ?? [];
}

inHome.test("without a store nothing can be added, and the message says both ways to one", async (home) => {
  const lines = [["add"], ["remove"], ["push"], ["pull"]];
  for (const { status, stderr } of await home.runInOrder(lines.map((line) => ["sync", ...line]))) {
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^reprise: Cannot .+: this machine has no store yet. To make a store: reprise sync init URL. To use an existing store: reprise sync join URL\n$/,
    );
  }
});

inHome.test("add says what would be sent and how many secrets are in it, and sends nothing", async (home) => {
  joined(home);
  setRemote(home.work, "git@example.com:acme/site.git");
  home.keep(sessionId("aaaa"), [user("plain")]);
  home.keep(sessionId("bbbb"), [user(`key ${SECRET}`)]);
  home.keep(sessionId("cccc"), [user(`key ${SECRET}`)], { cwd: join(home.path, "other") });
  const { status, stdout, stderr } = await home.run(["sync", "add"]);
  assert.deepEqual([status, stdout], [0, ""]);
  assert.match(stderr, /^example\.com\/acme\/site {2}\S+work: 2 sessions, \d+ B \(2 reprise\)$/m);
  assert.match(
    stderr,
    /^Redacted copies are sent\. Who can read them: everyone who may read the project$/m,
  );
  assert.match(
    stderr,
    /^Found 1 secret \(1 [\w-]+\): 1 replaced by placeholders; secrets in unknown/m,
  );
  assert.match(stderr, /Nothing was sent yet\. To send the sessions: reprise sync push\n$/);
  assert.doesNotMatch(stderr, new RegExp(SECRET));
  assert.deepEqual(projects(home), [
    { directory: home.work, project: "example.com/acme/site", form: "copy", visible: "team" },
  ]);
  const again = await home.run(["sync", "add", "."]);
  assert.deepEqual([again.status, again.stderr.split(":")[0]], [0, "Shared already"]);
  assert.equal(projects(home).length, 1);
});

inHome.test("add --json is one object of what would leave, by agent and kind of secret", async (home) => {
  joined(home);
  home.keep(sessionId("aaaa"), [user(`key ${SECRET}`)]);
  keepPiSession(home);
  const args = ["sync", "add", "--project", "site", "--agent", "all", "--json"];
  const { stdout } = await home.succeed(args);
  const told = JSON.parse(stdout);
  assert.deepEqual(
    [told.project, told.form, told.visible, told.sessions, told.agents],
    ["site", "copy", "team", 2, { pi: 1, reprise: 1 }],
  );
  assert.equal(Object.values(told.secrets).length, 1);
});

inHome.test("add names the directories, where sessions of more than the project's top would leave", async (home) => {
  joined(home);
  home.keep(sessionId("aaaa"), [user("top")]);
  home.keep(sessionId("bbbb"), [user("below")], { cwd: join(home.work, "nested", "repo") });
  const { stderr } = await home.run(["sync", "add", "--project", "site"]);
  assert.match(stderr, /2 sessions, .+\nTheir directories: \S+work, \S+work\/nested\/repo\n/);
});

inHome.test("other agents' sessions of an exact project stay or leave as copies, with a message", async (home) => {
  joined(home);
  home.keep(sessionId("aaaa"), [user(`key ${SECRET}`)]);
  keepPiSession(home);
  const args = ["sync", "add", "--project", "site", "--exact"];
  const own = await home.run(args);
  assert.match(
    own.stderr,
    /: 1 session, .+ \(1 reprise\)\nNot sent: 1 session of agents other than Reprise/,
  );
  const all = await home.run([...args, "--agent", "all"]);
  assert.match(
    all.stderr,
    /\(1 pi, 1 reprise\)\nReprise's own sessions are sent complete and unchanged. For sessions of agents other than Reprise, redacted/,
  );
  assert.match(all.stderr, /^Found 1 secret .+: 1 would be sent unchanged; /m);
});

inHome.test("other agents' sessions of a sealed project stay, with the way to share them", async (home) => {
  joined(home);
  keepPiSession(home);
  const args = ["sync", "add", "--project", "site", "--sealed", "--yes"];
  const recipient = await recipientOf(await makeIdentity());
  const { stderr } = await home.run([...args, "--recipient", recipient]);
  assert.match(
    stderr,
    /: no sessions yet; .+\nNot sent: 1 session of agents other than Reprise\. To make them sessions of Reprise/,
  );
  const backup = /reprise (backup .+)$/m.exec(stderr)?.[1] ?? "";
  assert.equal((await home.run(backup.split(" "))).status, 0);
  assert.equal((await home.run(["sync", "remove"])).status, 0);
  const again = await home.run([...args, "--recipient", recipient]);
  assert.match(
    again.stderr,
    /: 1 session, .+ \(1 reprise\)\nThe full sessions are sent, encrypted/,
  );
  const { sessions } = await sessionsToShare(
    openLibrary({ root: home.store, variable: () => undefined }),
    projects(home),
    () => {},
  );
  assert.deepEqual(sessions.map(({ form }) => form), ["sealed"]);
});

inHome.test("exact sessions and sealed ones are added by a yes alone", async (home) => {
  joined(home);
  home.keep(sessionId("aaaa"), [user(`key ${SECRET}`)]);
  const recipient = await recipientOf(await makeIdentity());
  const forms = [["--exact"], ["--sealed", "--recipient", recipient]];
  for (const form of forms) {
    const args = ["sync", "add", "--project", "site", ...form];
    const refused = await home.run(args);
    assert.equal(refused.status, 1);
    assert.match(
      refused.stderr,
      /Found 1 secret \(.+\): 1 would be sent (?:unchanged|encrypted); secrets in unknown/,
    );
    assert.match(refused.stderr, /Cannot add: --\w+ sends sessions unredacted; .+, add --yes\n$/);
    assert.deepEqual(projects(home), []);
    assert.equal((await home.run([...args, "--yes", "--private"])).status, 0);
    const [project] = projects(home);
    assert.equal(project?.form, form[0] === "--exact" ? "log" : "sealed");
    assert.equal(project?.visible, "private");
    assert.deepEqual(project?.recipients, form[0] === "--exact" ? undefined : [recipient]);
    assert.equal((await home.run(["sync", "remove"])).status, 0);
  }
});

inHome.test("a project that is added twice with another form is refused, and says what to do", async (home) => {
  joined(home);
  const other = join(home.path, "other");
  Deno.mkdirSync(other);
  assert.equal((await home.run(["sync", "add", "--project", "site"])).status, 0);
  const before = projects(home);
  const lines = [
    ["--project", "site", "--exact", "--yes"],
    ["--project", "site", "--private"],
    ["--project", "another"],
    [other, "--project", "site", "--exact", "--yes"],
  ];
  const results = await home.runInOrder(lines.map((line) => ["sync", "add", ...line]));
  for (const { status, stderr } of results) {
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^reprise: Cannot add .+: \S+work already shares redacted copies under the name site\. To change that: reprise sync remove \S+work, .+ again\n$/,
    );
  }
  assert.deepEqual(projects(home), before);
  assert.equal((await home.run(["sync", "add", other, "--project", "site"])).status, 0);
  assert.equal(projects(home).length, 2);
});

inHome.test("add names the store, not a flag, where its sessions are sealed by default", async (home) => {
  writeSyncSettings(home.store, { ...joined(home), url: "file:///srv/team" });
  const add = ["sync", "add", "--project", "x"];
  const [key, agent] = await home.runAll([add, [...add, "--agent", "claude"]]);
  assert.match(
    key?.stderr ?? "",
    /in a folder or a bucket, sessions are encrypted \(--sealed\), which needs a key/,
  );
  assert.match(
    agent?.stderr ?? "",
    /sessions are encrypted \(--sealed\), and only Reprise's own sessions can be/,
  );
});

inHome.test("refuses an invalid project in one line", async (home) => {
  joined(home);
  const cases: [number, RegExp, string[]][] = [
    [1, /there is no such directory/, ["gone"]],
    [2, /the project in \S+work has no git remote.+: --project NAME/, []],
    [1, /Cannot use this project name: use at most 200/, ["--project", "a\nb"]],
    [1, /it contains your home directory, .+ --yes/, [home.path, "--project", "all"]],
    [1, /it contains your home directory/, ["/", "--project", "all"]],
    [2, /--sealed needs a key: .*--recipient age1/, ["--project", "x", "--sealed"]],
    [2, /--recipient needs --sealed/, ["--project", "x", "--recipient", "age1x"]],
    [2, /--exact cannot be used with --sealed/, ["--exact", "--sealed"]],
    [2, /Cannot use "nobody" for --agent <name>\. All choices: reprise list --agents/, [
      "--project",
      "x",
      "--agent",
      "nobody",
    ]],
    [1, /that begins with age1|of this recipient \(public key\) is wrong/, [
      ...["--project", "x", "--sealed", "--recipient", "age1qqqqqqqq"],
    ]],
    [
      2,
      /With --sealed, sync sends only sessions that Reprise itself recorded, and none of other agents\. .+: --copies\. .+ --agent all/,
      [
        ...["--project", "x", "--sealed", "--recipient", "age1x", "--agent", "claude"],
      ],
    ],
  ];
  for (const [expected, message, args] of cases) {
    const { status, stderr } = await home.run(["sync", "add", ...args]);
    assert.equal(status, expected, stderr);
    assert.match(stderr, message);
    assert.deepEqual(projects(home), []);
  }
});

inHome.test("remove ends the sharing of a directory, also of one that is gone", async (home) => {
  const settings = joined(home);
  const gone = join(home.path, "gone");
  const shared = { form: "copy", visible: "team" } as const;
  writeSyncSettings(home.store, {
    ...settings,
    projects: [
      { directory: home.work, project: "site", ...shared },
      { directory: gone, project: "old", ...shared },
    ],
  });
  Deno.mkdirSync(join(home.work, ".git"));
  Deno.mkdirSync(join(home.work, "src"));
  assert.equal((await home.run(["sync", "remove", gone])).status, 0);
  assert.deepEqual(projects(home).map(({ project }) => project), ["site"]);
  const missing = await home.run(["sync", "remove", gone]);
  assert.equal(missing.status, 1);
  assert.match(
    missing.stderr,
    /Cannot remove .+gone: it is not one of the shared projects: .+work\n$/,
  );
  const { stderr } = await home.succeed(["sync", "remove", "src"]);
  assert.match(
    stderr,
    /^No longer shared: site {2}.+work\nSessions that were sent stay in the store\./,
  );
  assert.deepEqual(projects(home), []);
});

inHome.test("P8 work trees are shared as they were confirmed, and a later one not before add", async (home) => {
  joined(home);
  makeMainTree(home.work);
  const [side, later] = ["side", "later"].map((name) => join(home.path, name));
  assert.ok(side && later);
  home.keep(sessionId("aaaa"), [user("main")]);
  home.keep(sessionId("bbbb"), [user("side")], { cwd: side });
  home.keep(sessionId("cccc"), [user("later")], { cwd: later });
  const library = openLibrary({ root: home.store, variable: () => undefined });
  const shared = async (): Promise<string[]> => {
    const { sessions } = await sessionsToShare(library, projects(home), () => {});
    return sessions.map(({ id }) => id.slice(0, 4));
  };
  const git = join(home.work, ".git");
  addWorkTree(git, "side", side);
  const added = await home.run(["sync", "add", "--project", "site"]);
  assert.match(added.stderr, /: 2 sessions, .+\nIncluding its git work trees: \S+side\n/);
  assert.deepEqual([await shared(), newTreeLines(projects(home))], [["aaaa", "bbbb"], []]);

  addWorkTree(git, "later", later);
  assert.deepEqual(await shared(), ["aaaa", "bbbb"]);
  const [line, ...more] = newTreeLines(projects(home));
  assert.match(
    line ?? "",
    /^Not shared: \S+later, which is a work tree of \S+work; .+: reprise sync add/,
  );
  assert.deepEqual(more, []);
  const again = await home.run(["sync", "add", "--project", "site"]);
  assert.match(again.stderr, /: 3 sessions, /);
  assert.deepEqual([projects(home).length, await shared()], [1, ["aaaa", "bbbb", "cccc"]]);

  assert.equal((await home.run(["sync", "add", side, "--project", "site"])).status, 0);
  assert.equal((await home.run(["sync", "remove"])).status, 0);
  assert.deepEqual(await shared(), ["bbbb", "cccc"], "no other entry brings it back");
});

inHome.test("settings without work trees share the directory alone", async (home) => {
  const settings = joined(home);
  makeMainTree(home.work);
  const side = join(home.path, "side");
  addWorkTree(join(home.work, ".git"), "side", side);
  home.keep(sessionId("aaaa"), [user("main")]);
  home.keep(sessionId("bbbb"), [user("side")], { cwd: side });
  const project = { directory: home.work, project: "site", form: "copy", visible: "team" } as const;
  writeSyncSettings(home.store, { ...settings, projects: [project] });
  const library = openLibrary({ root: home.store, variable: () => undefined });
  const { sessions } = await sessionsToShare(library, projects(home), () => {});
  assert.deepEqual(sessions.map(({ id }) => id.slice(0, 4)), ["aaaa"]);
});
