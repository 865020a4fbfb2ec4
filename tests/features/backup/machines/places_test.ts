/** Machines of one user in each kind of place but a folder. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ObjectStore } from "../../../../lib/features/team/objects/object_store.ts";
import { openDatabase } from "../../../../lib/features/team/postgres/database_store.ts";
import { makeObjectTable } from "../../../../lib/features/team/postgres/object_table.ts";
import { openBucket } from "../../../../lib/features/team/s3/s3_object_store.ts";
import { openSftpStore } from "../../../../lib/features/team/sftp/sftp_store.ts";
import { withBucket } from "../../../_support/bucket_server.ts";
import { needing } from "../../../_support/needing.ts";
import { POSTGRES, withPostgres } from "../../../_support/postgres.ts";
import { SFTP, withSshServer } from "../../../_support/sftp.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { machinesDay } from "./_machines_day.ts";
import { continueElsewhere, PairedMachine, REF, turn } from "./_paired_machine.ts";

/** A day of few steps, as each of them asks a server. */
const DAY = { seed: 7, steps: 24 };

/** Continues a session there and back in a place. */
async function thereAndBack(
  folder: string,
  open: () => Promise<ObjectStore>,
  owner = "me",
): Promise<void> {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  a.open = b.open = open;
  a.owner = b.owner = owner;
  await continueElsewhere(a, b);
  assert.deepEqual((await a.sync()).grown, [REF]);
  const both = turn(a.project, 0, "Hello") + turn(a.project, 1, "From the desktop");
  assert.equal(Deno.readTextFileSync(a.session()), both);
  await b.sync();
  const { pushed, received, waiting } = await a.sync();
  assert.deepEqual([pushed.bytes, received, waiting], [0, 0, []]);
}

// Slow: a server of S3 is started.
Deno.test("machines sync by a bucket, also after a day of faults, and a round with nothing new asks once", async () => {
  await withDirectory((folder) =>
    withBucket(async ({ url, options, requests }) => {
      await thereAndBack(folder, () => openBucket(url, options));
      const a = new PairedMachine(folder, "laptop");
      a.open = () => openBucket(url, options);
      await a.sync();
      requests.length = 0;
      await a.sync();
      assert.equal(requests.length, 1, JSON.stringify(requests));
      const open = () => openBucket(url, { ...options });
      await machinesDay(join(folder, "day"), { open, owner: "ann" }, DAY);
    })
  );
});

// Slow: a server of ssh is started, and each round logs in.
Deno.test(needing("machines sync by sftp, also after a day of faults", SFTP), async () => {
  await withDirectory((folder) =>
    withSshServer(async ({ target }) => {
      const opens = (name: string) => () => {
        const place = { target, folder: join(folder, name), url: "ssh://test" };
        return Promise.resolve(openSftpStore(place));
      };
      await thereAndBack(folder, opens("the place"));
      await machinesDay(join(folder, "day"), { open: opens("day's place") }, DAY);
    })
  );
});

// Slow: a server of PostgreSQL is started.
Deno.test(
  needing("machines sync by a database, also after a day of faults", POSTGRES),
  async () => {
    await withDirectory((folder) =>
      withPostgres(async (server) => {
        const url = await server.database("machines");
        await makeObjectTable(url);
        const { objects, owner } = await openDatabase(url);
        await objects[Symbol.asyncDispose]();
        const open = async () => (await openDatabase(url)).objects;
        await thereAndBack(folder, open, owner);
        const day = await server.database("day");
        await makeObjectTable(day);
        const openDay = async () => (await openDatabase(day)).objects;
        await machinesDay(join(folder, "day"), { open: openDay, owner }, DAY);
      })
    );
  },
);
