/**
 * What `conversation` says is what the client itself sends when it resumes: `deno task test:clients`.
 * Six clients come from npm and run against a scripted model on loopback, each in a home of its own;
 * where npm cannot be reached they are skipped.
 *
 * Compared are what the user and the model said, reasoning, calls, results and files, in their order
 * (`request_items.ts` says how); not the system prompt, and not what a client injects by itself
 * (`injects` in `clients.ts`).
 */
import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { filesBelow } from "../../_support/files_below.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { chosen, tell } from "../quick.ts";
import { CLIENTS } from "./clients.ts";
import { installClient, type NpmClient } from "./npm_client.ts";
import {
  adopt,
  compareResume,
  isCompacted,
  say,
  sessionIds,
  type Stage,
} from "./resumed_session.ts";
import type { Sameness } from "./same_items.ts";
import type { Step } from "./scripted_answers.ts";
import { ScriptedServer } from "./scripted_server.ts";
import { SAMPLES } from "../../_support/samples.ts";

/** Sessions, by what happens in them; each step but the first resumes, and is compared. */
const SESSIONS: readonly (Step | "compact")[][] = [
  ["mentioned", "parallel", "thought", "failing", "plain"],
  ["plain", "stopped", "parallel", "plain"],
  ["plain", "killed", "thought", "plain"],
  ["long", "refused", "plain", "plain"],
  ["plain", "parallel", "compact", "plain", "thought", "plain"],
];

/** Of which files copies are resumed, where they are there: those that a client wrote, or took. */
const COPIES: Record<string, RegExp> = {
  claude: /^claude-code\/.*\.jsonl$/,
  codex: /^codex\/.*rollout-.*\.jsonl$/,
  pi: /^pi\/(generated|genuine).*\.jsonl$/,
  qwen: /^qwen-code\/.*\.jsonl$/,
  gemini: /^gemini-cli\/self-generated.*\.jsonl$/,
  opencode: /^opencode\/self-generated.*\.(json|db)$/,
};

interface Tally {
  turns: number;
  equal_turns: number;
  sessions: number;
  equal_sessions: number;
  differences: string[];
  injected: Set<string>;
}

function emptyTally(): Tally {
  const differences: string[] = [];
  return {
    turns: 0,
    equal_turns: 0,
    sessions: 0,
    equal_sessions: 0,
    differences,
    injected: new Set(),
  };
}

function count(tally: Tally, name: string, found: readonly Sameness[]): void {
  const last = found.at(-1);
  tally.sessions++;
  tally.equal_sessions += Number(found.every(({ equal }) => equal));
  tally.turns += last?.turns ?? 0;
  tally.equal_turns += last?.equal_turns ?? 0;
  for (const { differences, injected } of found) {
    tally.differences.push(...differences.map((line) => `${name}: ${line.slice(0, 300)}`));
    for (const text of injected) tally.injected.add(text);
  }
}

function tellTally(client: NpmClient, what: string, tally: Tally): void {
  const { turns, equal_turns, sessions, equal_sessions, differences, injected } = tally;
  tell(
    `${client.agent} ${client.version}, ${what}: ${equal_turns} of ${turns} turns, ` +
      `${equal_sessions} of ${sessions} sessions equal`,
  );
  for (const line of [...injected].map((text) => `  only the client: ${text}`)) tell(line);
  for (const line of differences) tell(`  ${line}`);
}

async function withStage(client: NpmClient, use: (stage: Stage) => Promise<void>): Promise<void> {
  const command = await installClient(client);
  if (command === undefined) {
    tell(`skipped: npm has no ${client.package}@${client.version} here`);
    return;
  }
  await withDirectory(async (home) => {
    await using server = new ScriptedServer(client);
    const place = { home, cwd: join(home, "work"), url: server.url };
    Deno.mkdirSync(place.cwd);
    Deno.writeTextFileSync(join(place.cwd, "notes.txt"), "first note\nsecond note\n");
    client.setUp(place);
    await use({ client, command, place, server });
  });
}

async function playSession(
  stage: Stage,
  steps: readonly (Step | "compact")[],
): Promise<Sameness[]> {
  const [first = "plain", ...more] = steps;
  const known = new Set(await sessionIds(stage));
  await say(stage, first);
  const id = (await sessionIds(stage)).find((one) => !known.has(one));
  assert.ok(id !== undefined, `${stage.client.agent} kept no session`);
  const found: Sameness[] = [];
  for (const step of more) {
    if (step === "compact") {
      await say(stage, step, id);
      assert.ok(await isCompacted(stage, id), `${stage.client.agent} compacted nothing`);
    } else found.push(await compareResume(stage, id, step));
  }
  return found;
}

function copiesOf(agent: string): string[] {
  try {
    return filesBelow(SAMPLES).map((path) => relative(SAMPLES, path)).sort().filter((path) =>
      COPIES[agent]?.test(path) && !path.includes("/subagents/")
    );
  } catch {
    // A clone has no samples.
    return [];
  }
}

for (const client of CLIENTS) {
  Deno.test(`${client.agent} sends what conversation says: its own sessions`, async () => {
    await withStage(client, async (stage) => {
      const tally = emptyTally();
      for (const steps of chosen(SESSIONS, CLIENTS.indexOf(client))) {
        const compacts = client.compact !== undefined || client.args({}) !== undefined;
        const possible = steps.filter((step) => compacts || step !== "compact");
        count(tally, steps.join(" "), await playSession(stage, possible));
      }
      tellTally(client, "its own sessions", tally);
      assert.ok(tally.equal_turns >= 0.95 * tally.turns, tally.differences.join("\n"));
    });
  });

  const copies = chosen(copiesOf(client.agent), 1);
  const ignore = copies.length === 0;
  Deno.test(`${client.agent} sends what conversation says: copies`, { ignore }, async () => {
    const tally = emptyTally();
    for (const path of copies) {
      // Copies of one session are told apart by their homes.
      await withStage(client, async (stage) => {
        try {
          const parents = client.forks_by_reference === true ? copiesOf(client.agent) : [];
          for (const parent of parents) await adopt(stage, join(SAMPLES, parent));
          const ids = await adopt(stage, join(SAMPLES, path));
          for (const id of ids) count(tally, path, [await compareResume(stage, id, "plain")]);
        } catch (error) {
          tell(
            `${path}: not resumed: ${error instanceof Error ? error.message.slice(0, 200) : error}`,
          );
        }
      });
    }
    tellTally(client, "copies", tally);
    assert.ok(tally.equal_turns >= 0.95 * tally.turns, tally.differences.join("\n"));
  });
}
