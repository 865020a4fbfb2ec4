/** When the session cannot be written: the chat goes on, says so once, and loses nothing. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { Chat } from "../../../lib/features/chat/chat.ts";
import { Saving } from "../../../lib/features/chat/recorder.ts";
import { MAX_LINE_BYTES } from "../../../lib/core/log/line_splitter.ts";
import { readEvents } from "../../../lib/core/log/read_events.ts";
import { openStore } from "../../../mod.ts";
import { eventually } from "../../_support/eventually.ts";
import { needing } from "../../_support/needing.ts";
import { fill, SMALL_DISK, withSmallDisk } from "../../_support/small_disk.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import {
  conversationOf,
  kindsIn,
  logOf,
  rebuilt,
  requestAfter,
  seenIn,
  withScene,
} from "./_chatting.ts";

const CALL = { calls: [{ id: "c1", name: "bash", input: { command: "echo hi" } }] };

// Slow: a small disk is mounted.
Deno.test(
  needing(
    "on a full disk the chat goes on, and all is written in order when there is room",
    SMALL_DISK,
  ),
  async () => {
    const long = { text: "word ".repeat(2000) };
    await withScene(
      "openai",
      [{ text: "Yes." }, CALL, long, { text: "So." }],
      async ({ options, screen, server }) => {
        await withSmallDisk(async (disk) => {
          const store = openStore({ root: join(disk, "store") });
          const chat = await Chat.start({ ...options, store, retry_saving_ms: 60_000 });
          await chat.submit("one");
          const path = logOf(chat);
          const before = (await kindsIn(path)).length;
          const free = fill(disk);
          assert.equal(await chat.submit(`two ${"x".repeat(5000)}`), "completed");
          assert.deepEqual(screen.codes(), ["saving-failed"]);
          assert.match(screen.notices[0]?.message ?? "", /disk is full/);
          assert.ok(chat.status().unsaved >= 6, `${chat.status().unsaved}`);
          assert.equal(
            server.bodies[2]?.messages.length,
            6,
            "the model gets what is not saved, too",
          );
          assert.ok((await kindsIn(path)).length <= before + 1);

          await free();
          assert.equal(await chat.submit("three"), "completed");
          assert.deepEqual(screen.codes(), ["saving-failed", "saving-works"]);
          assert.equal(chat.status().unsaved, 0);
          const sent = chat.messages();
          const snapshots = screen.items.map(({ type }) => type);
          assert.ok(snapshots.includes("bash"));
          assert.deepEqual((await rebuilt(path)).messages, sent);
          assert.deepEqual(screen.items, await seenIn(path));
          const times: string[] = [];
          for await (const batch of readEvents(path)) {
            for (const event of batch) times.push(event.form === "known" ? event.time ?? "" : "");
          }
          assert.deepEqual(times, times.toSorted());
          const expected = await requestAfter(path, "four", "openai");
          await chat.submit("four");
          assert.deepEqual(conversationOf(server.bodies.at(-1)), expected);
          await chat.close();
        });
      },
    );
  },
);

Deno.test(
  needing(
    "a disk that stays full is told at the end, with what is lost, and the session stays open",
    SMALL_DISK,
  ),
  async () => {
    await withScene("openai", [{}, CALL], async ({ options, screen }) => {
      await withSmallDisk(async (disk) => {
        const store = openStore({ root: join(disk, "store") });
        const chat = await Chat.start({ ...options, store });
        await chat.submit("one");
        fill(disk);
        await chat.submit("x".repeat(9000));
        await chat.close();
        assert.deepEqual(screen.codes(), ["saving-failed", "not-saved"]);
        assert.match(
          screen.notices[1]?.message ?? "",
          /^Could not save \d+ events? of this session/,
        );
        const [row] = await store.list();
        assert.equal(row?.status, "interrupted");
      });
    });
  },
);

Deno.test("a session that cannot begin is kept in memory, and begins when it can, by itself", async () => {
  await withScene("openai", [CALL], async ({ options, screen, store }) => {
    Deno.mkdirSync(store.root, { mode: 0o700 });
    const obstacle = join(store.root, "sessions");
    Deno.writeTextFileSync(obstacle, "a file where a folder should be");
    const chat = await Chat.start({ ...options, retry_saving_ms: 20 });
    await chat.rename("A title");
    assert.equal(await chat.submit("one"), "completed");
    assert.deepEqual(screen.codes(), ["saving-failed"]);
    assert.equal(chat.status().on_disk, false);
    Deno.removeSync(obstacle);
    await eventually(() => chat.status().unsaved === 0);
    assert.deepEqual(screen.codes(), ["saving-failed", "saving-works"]);
    await chat.close();
    assert.deepEqual(screen.items, await seenIn(logOf(chat)));
    const [row] = await store.list();
    assert.deepEqual([row?.title, row?.status, row?.message_count], ["A title", "completed", 2]);
  });
});

// Slow: the event is longer than the longest line.
inDirectory.test("an event too large for a log is dropped and reported, and later ones are saved", async (directory) => {
  const root = join(directory, "store");
  Deno.mkdirSync(root, { mode: 0o700 });
  const obstacle = join(root, "sessions");
  await Deno.writeTextFile(obstacle, "a file where a folder should be");
  const told: string[] = [];
  const session = openStore({ root }).create({ cwd: directory });
  const saving = new Saving({
    session,
    retry_ms: 60_000,
    onNotice: ({ code }) => void told.push(code),
  });
  for (const content of ["first", "x".repeat(MAX_LINE_BYTES), "last"]) {
    await saving.save({ kind: "user_message", payload: { content } });
  }
  assert.equal(saving.waiting, 3);
  await Deno.remove(obstacle);
  await saving.retry();
  assert.equal(saving.waiting, 0);
  assert.deepEqual(told, ["saving-failed", "not-saved", "saving-works"]);
  const path = session.path;
  await saving.close("completed");
  const texts: unknown[] = [];
  for await (const batch of readEvents(path, { kinds: new Set(["user_message"]) })) {
    for (const event of batch) {
      if (event.form === "known" && event.kind === "user_message") {
        texts.push(event.payload.content);
      }
    }
  }
  assert.deepEqual(texts, ["first", "last"]);
});
