/** Copies: the bytes that an export writes, of every agent's sessions, also while these grow. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  documentParts,
  exportReader,
  exportSummary,
  FindingLog,
  surveyed,
} from "../../../commands/export/read_export.ts";
import { encodeEvent } from "../../../lib/core/event/encode.ts";
import type { Event } from "../../../lib/core/event/envelope.ts";
import { exportDocument } from "../../../lib/features/export/export_document.ts";
import { SessionHandle } from "../../../lib/library/handle/session_handle.ts";
import { agentFiles } from "../../_support/agent_files.ts";
import { runCli } from "../../_support/cli.ts";
import { withSharedPaths } from "../../_support/shared_paths.ts";
import { copied } from "../../_support/copied.ts";
import { folderTeam, TeamMember } from "../../_support/team_member.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const TESTDATA = fileURLToPath(new URL("../../../testdata/agents/", import.meta.url));

/** More sessions of an agent, and longer ones, are for the thorough run. */
const [MOST, LONGEST] = ALL_TORTURE ? [Infinity, Infinity] : [3, 20_000];

/** What `export --format jsonl --redact` writes. */
async function exported(source: SessionHandle): Promise<string> {
  const summary = await exportSummary(source, "jsonl");
  const read = await exportReader(source, { all: false });
  const redactor = await surveyed(read(() => {}), summary, new FindingLog());
  const document = await exportDocument("jsonl");
  const parts = await Array.fromAsync(documentParts(document, read(() => {}), redactor));
  return parts.join("") + document.end();
}

/** An export of another agent's session, without the title in its head. */
function withoutTitle(text: string): string {
  const end = text.indexOf("\n") + 1;
  const { crc: _crc, ...head } = JSON.parse(text.slice(0, end) || "{}");
  if (head.payload?.title === undefined) return text;
  delete head.payload.title;
  return new TextDecoder().decode(encodeEvent(head as Event)) + text.slice(end);
}

// Slow: sessions of 24 agents are found, exported and copied.
Deno.test("a copy is what an export with --redact writes, for every agent's sessions", async () => {
  const agents = new Set<string>();
  for await (const { agent, session } of agentFiles(MOST)) {
    if (Deno.statSync(session.path).size > LONGEST) continue;
    const handle = new SessionHandle(agent.open(session), undefined);
    let expected: string;
    try {
      expected = await exported(handle);
    } catch {
      // Damaged on purpose: then there is no copy either.
      await assert.rejects(copied(handle));
      continue;
    }
    assert.equal(await copied(handle), withoutTitle(expected), session.path);
    agents.add(agent.name);
  }
  assert.ok(agents.size >= 10, [...agents].join());
});

inDirectory.test("a copy of a session of ours is the export of the program, but for its directory", async (folder) => {
  const machine = new TeamMember("ann", { folder });
  const id = await machine.write([
    "DB_PASSWORD=tr0ub4dor-and-3 and \0 and \ud800",
    "later it stands bare: tr0ub4dor-and-3",
  ]);
  const { stdout, status } = await runCli(["export", id, "--format", "jsonl", "--redact"], {
    home: folder,
    env: { REPRISE_HOME: machine.root },
  });
  assert.equal(status, 0);
  const objects = await folderTeam(join(folder, "place"));
  await machine.push(objects);
  const other = new TeamMember("ben", { folder: join(folder, "other") });
  await other.pull(objects);
  const expected = withSharedPaths(stdout, machine.directory, "example.org/app");
  assert.equal(other.mirror().get(`ann/${id}`), expected);
  assert.doesNotMatch(stdout, /tr0ub4dor/);
});

/** A file of testdata at the place where its agent would keep it. */
interface Growing {
  path: string;
  lines: string[];
}

function growingFiles(home: string): Growing[] {
  const places: Record<string, (index: number) => string> = {
    claude: (index) => join(home, ".claude/projects/-x", `${uuid(index)}.jsonl`),
    codex: (index) =>
      join(home, ".codex/sessions/2026/01/01", `rollout-2026-01-01T00-00-00-${uuid(index)}.jsonl`),
    pi: (index) => join(home, ".pi/agent/sessions/--x--", `2026-01-01_${uuid(index)}.jsonl`),
  };
  let index = 0;
  // The usual run takes some of them.
  const step = ALL_TORTURE ? 1 : 6;
  return Object.entries(places).flatMap(([agent, place]) => {
    Deno.mkdirSync(join(place(0), ".."), { recursive: true });
    return [...Deno.readDirSync(join(TESTDATA, agent))].map(({ name }) => name).sort()
      .filter((name) => name.endsWith(".jsonl"))
      .filter((_, index) => index % step === 0)
      .map((name) => ({
        path: place(++index),
        lines: Deno.readTextFileSync(join(TESTDATA, agent, name)).split(/(?<=\n)/),
      }));
  });
}

function uuid(index: number): string {
  return `3f6a2b91-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;
}

// Slow: each push and pull compares all copies with those of both machines.
inDirectory.test("copies of growing sessions follow them, line by line, and reach the other machine", async (folder) => {
  const home = join(folder, "home");
  const files = growingFiles(home);
  // Whatever directory a session says: all of them are shared.
  const laptop = new TeamMember("ann", { folder: join(folder, "laptop"), home, directory: "/" });
  const desktop = new TeamMember("ben", { folder: join(folder, "desktop") });
  const objects = await folderTeam(join(folder, "place"));
  const most = Math.max(...files.map(({ lines }) => lines.length));
  let seen = 0;
  for (let count = 1; count <= most; count += ALL_TORTURE ? 1 : Math.ceil(count / 2)) {
    for (const { path, lines } of files) {
      if (count > lines.length + 3) continue;
      Deno.writeTextFileSync(path, lines.slice(0, count).join(""));
    }
    await laptop.push(objects);
    await desktop.pull(objects);
    const mirror = desktop.mirror();
    for (const entry of (await laptop.library.query({ archived: "any" })).entries) {
      const { ref } = entry;
      const copy = mirror.get(`ann/${ref}`);
      if (copy === undefined) continue;
      const rewrite = (text: string): string => text.replaceAll(home, "~");
      assert.equal(copy, await copied(await entry.open(), rewrite), ref);
      seen++;
    }
  }
  assert.ok(seen > 50, `${seen} copies`);
});

inDirectory.test("copies have the project's name and a tilde for paths of the machine", async (folder) => {
  const home = join(folder, "home");
  const machine = new TeamMember("ann", { folder, home, directory: join(home, "src", "app") });
  const id = await machine.write([`see ${machine.directory}/a.ts and ${home}/.ssh/config`]);
  const objects = await folderTeam(join(folder, "place"));
  await machine.push(objects);
  const other = new TeamMember("ben", { folder: join(folder, "other") });
  await other.pull(objects);
  const text = other.mirror().get(`ann/${id}`) ?? "";
  assert.ok(!text.includes(folder), text);
  assert.match(text, /see example\.org\/app\/a\.ts and ~\/\.ssh\/config/);
  assert.match(text, /"cwd":"example\.org\/app"/);
});
