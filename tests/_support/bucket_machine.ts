/** Machines of one member that meet in a bucket. Each push and pull has a connection of its own. */
import { join } from "node:path";
import { cachedReads } from "../../lib/features/team/objects/cached_reads.ts";
import { initObjects } from "../../lib/features/team/objects/init_objects.ts";
import { openObjectTeam } from "../../lib/features/team/objects/object_team_store.ts";
import { openBucket } from "../../lib/features/team/s3/s3_object_store.ts";
import type { PullReport, PushReport } from "../../lib/features/team/sync_report.ts";
import type { TeamStore } from "../../lib/features/team/team_store.ts";
import { type BucketServer, withBucket } from "./bucket_server.ts";
import { Machine } from "./machine.ts";
import { withDirectory } from "./temp_directory.ts";

export class BucketMachine extends Machine {
  readonly #server: BucketServer;
  readonly #read: string;

  constructor(server: BucketServer, folder: string, label: string) {
    super({ folder: join(folder, label), label });
    this.#server = server;
    this.#read = join(folder, label, "read");
  }

  async #connect(): Promise<TeamStore> {
    const { url, options } = this.#server;
    const objects = cachedReads(await openBucket(url, options), { folder: this.#read }, "");
    return openObjectTeam(objects, { owner: "ada" });
  }

  async up(): Promise<PushReport> {
    await using store = await this.#connect();
    return await this.push(store);
  }

  async down(): Promise<PullReport> {
    await using store = await this.#connect();
    return await this.pull(store);
  }
}

/** Runs a test with two machines and an empty store. */
export async function withBucketMachines(
  test: (laptop: BucketMachine, desktop: BucketMachine, server: BucketServer) => Promise<void>,
): Promise<void> {
  await withDirectory(async (folder) => {
    await withBucket(async (server) => {
      await using objects = await openBucket(server.url, server.options);
      await initObjects(objects, { owner: "ada" });
      const machine = (label: string): BucketMachine => new BucketMachine(server, folder, label);
      await test(machine("laptop"), machine("desktop"), server);
    });
  });
}
