/** The stores of the day's test, each with the faults that its connection may have. */
import { join } from "node:path";
import { openFolderStore } from "../../lib/features/team/folder/folder_store.ts";
import { initObjects } from "../../lib/features/team/objects/init_objects.ts";
import { hashedName } from "../../lib/features/team/objects/object_keys.ts";
import type { ObjectStore } from "../../lib/features/team/objects/object_store.ts";
import { openBucket } from "../../lib/features/team/s3/s3_object_store.ts";
import { ACCOUNT, withBucket } from "./bucket_server.ts";
import { cuttingProxy } from "./cutting_proxy.ts";
import { makeDatabase } from "./database_team.ts";
import { LateFolders } from "./late_folders.ts";
import type { Requirement } from "./needing.ts";
import { POSTGRES, withPostgres } from "./postgres.ts";
import { withDirectory } from "./temp_directory.ts";

/** An empty store, as two machines reach it. */
export interface DayPlace {
  /** Its address on each machine. */
  addresses: readonly [string, string];
  /** Options of `sync join`. */
  login?: readonly string[];
  /** Variables with which the machines reach it. */
  env?: Readonly<Record<string, string>>;
  /** Begins other faults of the connection. */
  trouble(): Promise<void> | void;
  /** Ends all faults, and delivers all files that are on their way. */
  calm(): Promise<void> | void;
  /** True if it stores bytes of a session. */
  holds(session: string): Promise<boolean>;
}

/** A kind of place. */
export interface DayEngine {
  needs: readonly Requirement[];
  /** Runs a day in an empty store of ann. */
  withPlace(random: () => number, day: (place: DayPlace) => Promise<void>): Promise<void>;
}

/** A folder on each machine. A program that synchronizes them delivers late and out of order. */
const FOLDERS: DayEngine = {
  needs: [],
  withPlace: (random, day) =>
    withDirectory(async (root) => {
      const addresses = [join(root, "one"), join(root, "other")] as const;
      for (const folder of addresses) Deno.mkdirSync(folder);
      await using objects = openFolderStore(addresses[0]);
      await initObjects(objects, { owner: "ann" });
      await using others = openFolderStore(addresses[1]);
      const late = new LateFolders(addresses, random);
      late.deliverAll();
      await day({
        addresses,
        trouble: () => late.deliverSome(),
        calm: () => late.deliverAll(),
        holds: async (session) =>
          await holdsObjects(objects, session) || await holdsObjects(others, session),
      });
    }),
};

/** A server that refuses some requests and cuts others, before or after it carried them out. */
const BUCKET: DayEngine = {
  needs: [],
  withPlace: (random, day) =>
    withBucket(async (server) => {
      const { url, options } = server;
      await using objects = await openBucket(url, options);
      await initObjects(objects, { owner: "ann" });
      await day({
        addresses: [url, url],
        env: ACCOUNT,
        trouble: () => {
          const part = random() ** 2 * 0.6;
          const status = random() < 0.5 ? 503 : 0;
          server.fail = () => random() < part ? { status, carried_out: random() < 0.5 } : undefined;
        },
        calm: () => void (server.fail = undefined),
        holds: (session) => holdsObjects(objects, session),
      });
    }),
};

/** A server that is restarted and ends connections, behind a proxy that cuts them. */
const DATABASE: DayEngine = {
  needs: [POSTGRES],
  withPlace: (random, day) =>
    withPostgres(async (server) => {
      const url = await server.database("day");
      await makeDatabase(url);
      await server.sql("create role ann login password 'pw'; grant reprise_member to ann");
      await using proxy = cuttingProxy(server.port);
      const address = `postgresql://ann@127.0.0.1:${proxy.port}/day`;
      const calm = (): void => void (proxy.cut_after = undefined);
      await day({
        addresses: [address, address],
        login: ["--password-command", "echo pw"],
        trouble: async () => {
          calm();
          const act = random();
          if (act < 0.2) {
            await server.stop();
            await server.start();
          } else if (act < 0.4) {
            await server.sql(
              "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ann'",
            );
          } else proxy.cut_after = proxy.up + proxy.down + Math.floor(random() ** 3 * 400_000);
        },
        calm,
        holds: async (session) =>
          await server.sql(
            `select 1 from reprise.object where key like 'v1/segments/%/${
              hashedName(session)
            }/%' limit 1`,
            "day",
          ) !== "",
      });
    }),
};

/** The kinds of places, by name. */
export const DAY_ENGINES: Readonly<Record<string, DayEngine>> = {
  "a folder that delivers late and out of order": FOLDERS,
  "a bucket that fails": BUCKET,
  "a database that is cut and restarted": DATABASE,
};

async function holdsObjects(objects: ObjectStore, session: string): Promise<boolean> {
  const folder = `/${hashedName(session)}/`;
  for await (const page of objects.list("v1/segments/")) {
    if (page.some(({ key }) => key.includes(folder))) return true;
  }
  return false;
}
