import { initObjects } from "../../../../lib/features/team/objects/init_objects.ts";
import { openObjectTeam } from "../../../../lib/features/team/objects/object_team_store.ts";
import { openBucket } from "../../../../lib/features/team/s3/s3_object_store.ts";
import { withBucket } from "../../../_support/bucket_server.ts";
import { cutObjects, spoilObjects, UNCUT } from "../../../_support/cut_objects.ts";
import { testTeamStore } from "./contract.ts";

for (const compares of [true, false]) {
  testTeamStore({
    name: compares ? "a bucket" : "a bucket without conditional writes",
    cuts: compares ? [3, 8] : [7, 8],
    withPlaces: (test) =>
      withBucket(async ({ url, options }) => {
        let made = 0;
        await test(async () => {
          const place = url.replace("/sessions", `/team ${++made}`);
          const connect = () => openBucket(place, options);
          await initObjects(await connect(), { owner: "ada" });
          return {
            connect: async (owner, cut = UNCUT) =>
              openObjectTeam(cutObjects(await connect(), cut), { owner }),
            spoil: async () => await spoilObjects(await connect()),
          };
        });
      }, { compares }),
  });
}
