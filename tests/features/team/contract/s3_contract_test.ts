import { makeTeamIn } from "../../../../lib/features/team/open_team.ts";
import { openBucket } from "../../../../lib/features/team/s3/s3_object_store.ts";
import { withBucket } from "../../../_support/bucket_server.ts";
import { testTeamPlace } from "./contract.ts";

testTeamPlace({
  name: "a bucket",
  cuts: [3, 5, 7],
  withPlaces: (test) =>
    withBucket(async ({ url, options }) => {
      let made = 0;
      await test(async () => {
        const place = url.replace(/(?=\?|$)/, `/team${++made}`);
        await using objects = await openBucket(place, options);
        await makeTeamIn(objects, "ada");
        return { open: () => openBucket(place, options) };
      });
    }),
});
