/** What holds in each place of a team: copies arrive byte for byte, whatever cuts a push off. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ObjectStore } from "../../../../lib/features/team/objects/object_store.ts";
import { teamIn } from "../../../../lib/features/team/open_team.ts";
import { withdraw } from "../../../../lib/features/team/withdraw.ts";
import { type Cut, cutObjects, UNCUT } from "../../../_support/cut_objects.ts";
import { needing, type Requirement } from "../../../_support/needing.ts";
import { TeamMember } from "../../../_support/team_member.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

/** A place with a team's store. */
export interface TeamPlace {
  /** Opens the place for a member. */
  open(owner: string): Promise<ObjectStore>;
}

/** A kind of place. */
export interface KindOfPlace {
  name: string;
  needs?: Requirement[];
  /** Requests at which pushes are cut off. @default {1 to 8} */
  cuts?: number[];
  /** Runs a test with a function that makes places. */
  withPlaces(test: (newPlace: () => Promise<TeamPlace>) => Promise<void>): Promise<void>;
}

/** Tests a kind of place. The members are `ann` and `ben`. */
export function testTeamPlace({ name, needs = [], cuts, withPlaces }: KindOfPlace): void {
  Deno.test({
    ...needing(`${name} holds copies of a team`, ...needs),
    fn: (test) =>
      withPlaces(async (newPlace) => {
        await test.step("what a member pushes arrives with the other, and grows there", () =>
          growth(newPlace));
        await test.step("a push that is cut off at any request is completed by the next", () =>
          cutOff(newPlace, cuts));
        await test.step("what is withdrawn is gone, and comes from no machine again", () =>
          takenBack(newPlace));
      }),
  });
}

async function withMembers(
  { open }: TeamPlace,
  test: (pushing: Pushing) => Promise<void>,
): Promise<void> {
  await withDirectory(async (folder) => {
    const ann = new TeamMember("ann", { folder: join(folder, "ann") });
    const ben = new TeamMember("ben", { folder: join(folder, "ben") });
    const using = async <Result>(
      owner: string,
      work: (objects: ObjectStore) => Promise<Result>,
      cut: Cut = UNCUT,
    ): Promise<Result> => {
      await using objects = await open(owner);
      return await work(cutObjects(objects, cut));
    };
    await test({ ann, ben, using });
  });
}

interface Pushing {
  ann: TeamMember;
  ben: TeamMember;
  using<Result>(
    owner: string,
    work: (objects: ObjectStore) => Promise<Result>,
    cut?: Cut,
  ): Promise<Result>;
}

async function growth(newPlace: () => Promise<TeamPlace>): Promise<void> {
  await withMembers(await newPlace(), async ({ ann, ben, using }) => {
    const id = await ann.write(["one", "two"]);
    const push = () => using("ann", (objects) => ann.push(objects));
    const pull = () => using("ben", (objects) => ben.pull(objects));
    assert.deepEqual((await push()).failed, []);
    assert.deepEqual((await pull()).pulled, [`team:ann/${id}`]);
    assert.equal(ben.mirror().get(`ann/${id}`), await ann.copy(id));
    await ann.continue(id, ["three"]);
    const pushed = await push();
    assert.deepEqual([pushed.pushed, pushed.began], [1, 0]);
    assert.ok(pushed.sent_bytes < 4096, `${pushed.sent_bytes}`);
    await pull();
    assert.equal(ben.mirror().get(`ann/${id}`), await ann.copy(id));
    assert.deepEqual((await pull()).pulled, []);
    assert.equal((await push()).sent_bytes, 0);
  });
}

async function cutOff(
  newPlace: () => Promise<TeamPlace>,
  cuts = [1, 2, 3, 4, 5, 6, 7, 8],
): Promise<void> {
  for (const left of cuts) {
    for (const behind of [false, true]) {
      await withMembers(await newPlace(), async ({ ann, ben, using }) => {
        const ids = [await ann.write(["one"]), await ann.write(["two"])];
        const cutPush = async (): Promise<void> => {
          try {
            await using("ann", (objects) => ann.push(objects), { left, behind });
          } catch (error) {
            assert.equal((error as { code?: string }).code, "unreachable");
          }
        };
        const reach = async (): Promise<void> => {
          assert.deepEqual((await using("ann", (objects) => ann.push(objects))).failed, []);
          const pulled = await using("ben", (objects) => ben.pull(objects));
          assert.deepEqual([pulled.failed, pulled.incomplete], [[], []]);
          for (const id of ids) {
            assert.equal(ben.mirror().get(`ann/${id}`), await ann.copy(id), `${left} ${behind}`);
          }
        };
        await cutPush();
        await ann.continue(ids[0] ?? "", ["more"]);
        await reach();
        // A secret that gets its name later changes the lines before it.
        await ann.continue(ids[1] ?? "", ["it stands bare: horse-battery-9-staple"]);
        await reach();
        await ann.continue(ids[1] ?? "", ["DB_PASSWORD=horse-battery-9-staple"]);
        await cutPush();
        await reach();
        assert.doesNotMatch(ben.mirror().get(`ann/${ids[1]}`) ?? "", /horse/);
      });
    }
  }
}

async function takenBack(newPlace: () => Promise<TeamPlace>): Promise<void> {
  await withMembers(await newPlace(), async ({ ann, ben, using }) => {
    const [id, other] = [await ann.write(["one"]), await ann.write(["two"])];
    await using("ann", (objects) => ann.push(objects));
    const taken = await using(
      "ann",
      async (objects) => await withdraw(ann.root, await teamIn(objects, "ann"), ann.settings, [id]),
    );
    assert.deepEqual(taken, [id]);
    const pulled = await using("ben", (objects) => ben.pull(objects));
    assert.deepEqual([pulled.pulled, pulled.incomplete], [[`team:ann/${other}`], []]);
    await ann.continue(id, ["more"]);
    ann.forget();
    const pushed = await using("ann", (objects) => ann.push(objects));
    assert.deepEqual([pushed.sessions, pushed.pushed], [1, 0]);
    assert.deepEqual([...ben.mirror().keys()], [`ann/${other}`]);
  });
}
