import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import { opencodeWriter } from "../../../lib/agents/opencode/write/opencode_writer.ts";
import { RisingIds, sessionId } from "../../../lib/agents/opencode/write/import_file.ts";
import { KILO, OPENCODE } from "../../../lib/agents/opencode/write/importing_client.ts";
import { userModel } from "../../../lib/agents/opencode/write/importing_client.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import type { HandedMessage } from "../../../lib/agents/contract/session_writer.ts";
import { makeHome, onlySession } from "../../_support/agent_contract.ts";
import { descriptorOf } from "../../../lib/library/machine/registry.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import {
  answer,
  anyMessages,
  BEGUN,
  call,
  handed,
  handedItems,
  IMAGE,
  nastyMessages,
  NOW,
  NOWHERE,
  prompt,
  readItems,
  rowOf,
  said,
  START,
  testWriter,
  textOf,
  writerOf,
} from "../_written.ts";
import { databaseOf, type Exported, exported } from "./_store.ts";
import { placeOf } from "../../_support/agent_place.ts";

const writer = await writerOf(opencodeAgent);
const CWD = "/home/dev/some dir.d";

type Fields = Record<string, unknown>;

async function documentOf(messages: HandedMessage[], title?: string): Promise<string> {
  const id = writer.newSessionId(NOW);
  const start = { ...START, id, cwd: CWD, ...(title === undefined ? {} : { title }) };
  return await textOf(writer, start, messages);
}

async function parsed(messages: HandedMessage[], title?: string): Promise<Exported> {
  return JSON.parse(await documentOf(messages, title)) as Exported;
}

/** Reads a document as it is; and from a database, into which it is put as the client would. */
async function inStores(
  text: string,
  use: (session: AgentSession) => Promise<void>,
): Promise<void> {
  await inDocument(text, use);
  await withDirectory(async (folder) => {
    const database = join(folder, "opencode.db");
    await Deno.writeFile(database, databaseOf(JSON.parse(text) as Exported));
    await use(await onlySession(opencodeAgent, database));
  });
}

async function inDocument(
  text: string,
  use: (session: AgentSession) => Promise<void>,
): Promise<void> {
  await withDirectory(async (folder) => {
    const file = join(folder, "handed-over.json");
    await Deno.writeTextFile(file, text);
    const head = new TextEncoder().encode(text).subarray(0, 64 * 1024);
    assert.ok(opencodeAgent.recognize(file, head));
    await use(await onlySession(opencodeAgent, file));
  });
}

async function assertReadBack(
  messages: HandedMessage[],
  { title, read = inDocument }: { title?: string; read?: typeof inStores } = {},
): Promise<void> {
  const text = await documentOf(messages, title);
  assert.doesNotMatch(text, /[\u2028\u2029\r]|\n\n/);
  assert.ok(text.endsWith("\n]}\n"));
  await read(text, async (session) => {
    const items = handedItems(messages);
    // A database made by parsing keeps no numbers as they were written; the client does not, either.
    const numbers = (item: string): string =>
      session.path.endsWith(".db") ? item.replace(/\{"id":.*/, "") : item;
    assert.deepEqual((await readItems(opencodeAgent, session)).map(numbers), items.map(numbers));
  });
}

testWriter("a document for OpenCode", writer);

Deno.test("a document for OpenCode reads back as what was handed over", async () => {
  await assertReadBack(nastyMessages(writer), { title: "The title", read: inStores });
  await assertReadBack(nastyMessages(writer));
});

Deno.test("any conversation reads back from a document for OpenCode", async () => {
  await fc.assert(
    fc.asyncProperty(anyMessages(writer), (messages) => assertReadBack(messages)),
    { numRuns: 12, seed: 66 },
  );
});

Deno.test("a session for OpenCode has its title and directory, or the first line as its title", async () => {
  const rows = async (messages: HandedMessage[], title?: string): Promise<unknown[]> => {
    const found: unknown[] = [];
    await inStores(await documentOf(messages, title), async (session) => {
      const row = await rowOf(opencodeAgent, session);
      found.push([row.title, row.cwd, row.created_at]);
    });
    return found;
  };
  const facts = (title: string): unknown => [title, CWD, "2026-08-01T10:00:00.000Z"];
  const both = (title: string): unknown[] => [facts(title), facts(title)];
  assert.deepEqual(await rows(nastyMessages(writer), "The title"), both("The title"));
  const titled = async (text: string): Promise<unknown> =>
    (await parsed([prompt(said(text))])).info.title;
  assert.deepEqual(await rows([prompt(said("\n first\u2028second"))]), both("first"));
  assert.equal(await titled("👩".repeat(101)), `${"👩".repeat(100)}…`);
  const { info } = await parsed([prompt(IMAGE)]);
  // The client's own title of a session that has none yet.
  assert.equal(info.title, "New session - 2026-11-23T06:30:15.250Z");
  assert.deepEqual((await parsed([])).messages, []);
});

Deno.test("OpenCode takes the file by its import, and gives it up by its delete", () => {
  const id = writer.newSessionId(NOW);
  const placement = writer.place(NOWHERE, { ...START, id, cwd: CWD }, "/tmp/x");
  assert.equal(dirname(placement.path), "/tmp/x");
  // A file of the name `opencode.json` would be taken for settings.
  assert.match(placement.path, /\/handed-over-ses_\w{26}\.json$/);
  assert.deepEqual(placement.prepare, [["opencode", "import", placement.path]]);
  assert.deepEqual(placement.remove, ["opencode", "session", "delete", id]);
  assert.equal(
    placeOf("opencode", { ...NOWHERE, home: "/home/a" }).folder,
    "/home/a/.local/share/opencode",
  );
});

Deno.test("messages and parts have the keys that the import needs, and ids that rise", async () => {
  const calls = [
    call(writer, "bash", { input: { command: "ls" }, output: [said("a")] }),
    call(writer, "look", { output: [said("cut"), IMAGE], status: "interrupted" }),
    call(writer, "ask", { output: [said("no")], status: "error" }),
  ];
  const { info, messages } = await parsed([
    prompt(said("hi"), IMAGE),
    answer("so", calls),
    answer("end", [], { time: BEGUN + 2, total_tokens: 9 }),
  ]);
  for (const key of ["slug", "title", "version", "projectID", "directory"]) {
    assert.equal(typeof info[key], "string", key);
  }
  assert.deepEqual(info.time, { created: BEGUN, updated: NOW });
  const [asked, answered, ended] = messages;
  assert.ok(asked && answered && ended);
  const model = { providerID: "unknown", modelID: "unknown" };
  assert.deepEqual(asked.info, {
    id: asked.info.id,
    sessionID: info.id,
    role: "user",
    time: { created: BEGUN },
    agent: "build",
    model,
  });
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
  assert.deepEqual(answered.info, {
    id: answered.info.id,
    sessionID: info.id,
    role: "assistant",
    time: { created: BEGUN + 1, completed: BEGUN + 1 },
    parentID: asked.info.id,
    ...model,
    mode: "build",
    agent: "build",
    path: { cwd: CWD, root: CWD },
    cost: 0,
    tokens,
    finish: "tool-calls",
  });
  assert.equal(ended.info.parentID, asked.info.id);
  assert.deepEqual([ended.info.finish, ended.info.tokens], ["stop", { total: 9, ...tokens }]);
  const ids = messages.flatMap(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)]);
  assert.deepEqual(ids.map((id) => id.slice(4)), ids.map((id) => id.slice(4)).toSorted());
  assert.equal(new Set(ids).size, ids.length);
  const types = answered.parts.map(({ type }) => type);
  assert.deepEqual(types, ["step-start", "text", "tool", "tool", "tool", "step-finish"]);
  const states = answered.parts.flatMap(({ state }) =>
    state === undefined ? [] : [state as Fields]
  );
  const time = { start: BEGUN + 1, end: BEGUN + 1 };
  const originals = calls.map(({ id, original }) => ({
    reprise: { from: "codex:1", calls: { [id]: original } },
  }));
  const { attachments, ...second } = states[1] ?? {};
  // The screen shows the output of a command from there.
  Object.assign(originals[0] ?? {}, { output: "a" });
  assert.deepEqual([states[0], second, states[2]], [
    {
      status: "completed",
      input: { command: "ls" },
      output: "a",
      title: "",
      metadata: originals[0],
      time,
    },
    // Only what ended well can have images.
    { status: "completed", input: {}, output: "cut", title: "", metadata: originals[1], time },
    { status: "error", input: {}, error: "no", metadata: originals[2], time },
  ]);
  const [image] = attachments as Fields[];
  const { id, sessionID, messageID, ...file } = image ?? {};
  assert.deepEqual([typeof id, sessionID, messageID], ["string", info.id, answered.info.id]);
  const url = IMAGE.type === "image" ? `data:image/png;base64,${IMAGE.data}` : "";
  const shown = { type: "file", mime: "image/png", filename: "image.png", url };
  assert.deepEqual(file, shown);
  assert.deepEqual({ ...asked.parts[1], ...shown }, asked.parts[1]);
});

/** The time that digits of an id tell, of those that there are within 795 days before now. */
function stampOf(id: string): bigint {
  return BigInt(`0x${id.slice(4, 16)}`);
}

Deno.test("ids are before those that the client makes now, however old the messages are", () => {
  const end = (now: number): bigint => BigInt(now) * 4096n % 2n ** 48n;
  const ids = new RisingIds(NOW);
  let last = -1n;
  for (let count = 0; count < 5000; count++) {
    const id = ids.next(count % 3 === 0 ? "msg" : "prt");
    assert.match(id, /^(?:msg|prt)_[0-9a-f]{12}[0-9A-Za-z]{14}$/);
    assert.ok(stampOf(id) > last && stampOf(id) < end(NOW));
    last = stampOf(id);
  }
  // Digits begin anew: what was made before would be behind all that is made from then on.
  const anew = Number(2n ** 36n * 26n);
  for (const now of [anew + 1, anew + 60_000]) {
    const [one, two] = [new RisingIds(now).next("msg"), new RisingIds(now).next("msg")];
    assert.ok(stampOf(one) < end(now) && stampOf(two) < end(now));
  }
  const [older, newer] = [sessionId(NOW - 1), sessionId(NOW)];
  assert.match(newer, /^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$/);
  assert.ok(newer < older);
});

Deno.test("messages name a model that the user has", async () => {
  const chosen = (name: string): string => JSON.stringify({ model: name });
  const recent = JSON.stringify({ recent: [{}, { providerID: "r", modelID: "chosen" }] });
  const steps: [file: string, content: string | Uint8Array, model: string][] = [
    [".local/share/opencode/opencode.db", databaseOf(exported("small")), modelIn("small")],
    [".local/state/opencode/model.json", recent, "r/chosen"],
    [".config/opencode/config.json", chosen("p/oldest"), "p/oldest"],
    [".config/opencode/opencode.json", `// mine\n${chosen("p/own")}`, "p/own"],
    [".config/opencode/opencode.jsonc", "{ broken", "p/own"],
    ["opencode.json", chosen("p/above"), "p/above"],
    ["work/opencode.json", chosen("openrouter/a/b"), "openrouter/a/b"],
    ["work/.opencode/opencode.json", chosen("p/hidden"), "p/hidden"],
    // A name from the environment is not known here.
    ["work/.opencode/opencode.jsonc", chosen("{env:MODEL}"), "p/hidden"],
  ];
  const files: Record<string, string | Uint8Array> = {};
  for (const [file, content, expected] of steps) {
    files[file] = content;
    await using home = await makeHome(files);
    const { providerID, modelID } = userModel(
      placeOf("opencode", home.environment),
      join(home.path, "work"),
      OPENCODE,
    );
    assert.equal(`${providerID}/${modelID}`, expected, file);
  }
  await using damaged = await makeHome({ ".local/share/opencode/opencode.db": "no database" });
  const unknown = { providerID: "unknown", modelID: "unknown" };
  assert.deepEqual(userModel(placeOf("opencode", damaged.environment), "/w", OPENCODE), unknown);
});

Deno.test("Kilo CLI takes a document by its own import, under its own agent and model", async () => {
  const kilo = await descriptorOf("kilo").loadWriter?.();
  assert.ok(kilo !== undefined);
  await using home = await makeHome({
    ".config/opencode/opencode.json": JSON.stringify({ model: "p/opencode" }),
    ".config/kilo/kilo.json": JSON.stringify({ model: "p/kilo" }),
  });
  const place = placeOf("kilo", home.environment);
  const id = kilo.newSessionId(NOW);
  const { path, ...placed } = kilo.place(place, { ...START, id, cwd: CWD }, "/tmp/x");
  assert.deepEqual(placed, {
    prepare: [["kilo", "import", path]],
    kept_in: join(home.path, ".local/share/kilo/kilo.db"),
    remove: ["kilo", "session", "delete", id],
  });
  const session = handed({ ...START, id, cwd: CWD }, nastyMessages(kilo));
  const text = (await Array.fromAsync(kilo.write(session, place))).join("");
  const { info, messages } = JSON.parse(text) as Exported;
  assert.equal(info.version, KILO.version);
  const [first] = messages;
  assert.deepEqual([first?.info.agent, first?.info.model], [
    "code",
    { providerID: "p", modelID: "kilo" },
  ]);
  await inStores(text, async (session) => {
    assert.equal((await readItems(opencodeAgent, session)).length, 28);
  });
});

Deno.test("a project's settings of Kilo CLI win over those that it shares with OpenCode", async () => {
  const chosen = (name: string): string => JSON.stringify({ model: name });
  await using home = await makeHome({
    "work/opencode.json": chosen("p/shared"),
    "work/kilo.json": chosen("p/own"),
    "work/sub/.kilo/kilo.jsonc": chosen("p/hidden"),
  });
  const place = placeOf("kilo", home.environment);
  const modelAt = (path: string): string => userModel(place, join(home.path, path), KILO).modelID;
  assert.deepEqual([modelAt("work"), modelAt("work/sub")], ["own", "hidden"]);
});

function modelIn(name: string): string {
  const last = exported(name).messages.at(-1)?.info;
  const { providerID, modelID } = last as Fields;
  return `${providerID}/${modelID}`;
}

Deno.test("the calls of a handed session are found as they were, also with long arguments", async () => {
  const calls = [call(writer, "short", { output: [said("a")] }), call(writer, "long")];
  const [short, long] = calls;
  assert.ok(short !== undefined && long !== undefined);
  long.original.input = { text: "long ".repeat(2000) };
  await inStores(await documentOf([prompt(said("hi")), answer("", calls)]), (session) => {
    const originals = opencodeWriter.handedOriginals?.(session);
    for (const { id, original } of calls) {
      assert.deepEqual(originals?.(id), { from: "codex:1", calls: { [id]: original } });
    }
    assert.equal(originals?.("call_none"), undefined);
    return Promise.resolve();
  });
});

Deno.test("OpenCode's own calls have no handed-over original", async () => {
  const calls = [call(writer, "handed"), call(writer, "own")];
  const answers = calls.map((one, at) => answer("", [one], { time: BEGUN + 1 + at }));
  const handed = await parsed([prompt(said("hi")), ...answers]);
  const own = handed.messages[2]?.parts.find(({ type }) => type === "tool");
  Object.assign(own?.state as Fields, { metadata: { exit: 0 } });
  await inStores(JSON.stringify(handed), (session) => {
    const originals = opencodeWriter.handedOriginals?.(session);
    const found = calls.map(({ id }) => originals?.(id) !== undefined);
    assert.deepEqual(found, [true, false]);
    return Promise.resolve();
  });
});
