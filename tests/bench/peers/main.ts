/**
 * Measures Reprise beside other programs, in turns, on the same generated files: `main.ts [--rounds N]
 * [--keep DIR] [--only TEXT]`. Writes the ratios and the machine to `tests/bench/peers.json`, and their
 * table to `.github/FIGURES.md`. Needs npm, and ripgrep for its row.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type GeneratedAgent, makeAgentLog } from "../agent_logs.ts";
import { makeAgentHome, placeOf, SHORT_MESSAGES } from "../agent_sessions.ts";
import { makeBenchStore } from "../bench_store.ts";
import { CCUSAGE_VERSION } from "../../_support/ccusage.ts";
import { compileProgram } from "../compile_recipe.ts";
import { peakMemoryOf } from "../peak_memory.ts";
import { runTask } from "../task.ts";
import { makeUsageHome } from "../usage_home.ts";
import {
  type PeerFigures,
  type PeerRow,
  peerRow,
  peersTable,
  peersText,
  takeTurns,
} from "./compare.ts";
import { ccusage, loadByPeer, peerName, readByCodex, type Sample } from "./peers.ts";

/** Where the rows are kept. */
export const PEERS_FILE = new URL("../peers.json", import.meta.url);
const PAGE = new URL("../../../.github/FIGURES.md", import.meta.url);
/** Where the table stands in the page. */
export const TABLE = /(<!-- peers -->\n+)[^]*?(\n+<!-- \/peers -->)/;

const ID = "01a1ffd4-8013-43b1-89e7-822b38eb0000";
const USAGE_BYTES = 358e6;
const SEARCHED = "zzznothere";
const SEARCHED_BYTES = 300e6;
/** A start takes little: many of them make one round. */
const STARTS = 5;

/** Where the programs and the data are. */
interface Scene {
  directory: string;
  rounds: number;
  reprise: string;
}

/** One comparison. */
interface Comparison {
  figure: string;
  measure(scene: Scene, figure: string): Promise<PeerRow[]>;
}

/** Runs a command in a home; its output is read and thrown away. */
async function timed(home: string, command: readonly string[]): Promise<Sample> {
  const [program = "", ...args] = command;
  const begun = performance.now();
  const child = new Deno.Command(program, {
    args,
    cwd: home,
    clearEnv: true,
    env: {
      HOME: home,
      REPRISE_HOME: join(home, "store"),
      TZ: "UTC",
      LANG: "en_US.UTF-8",
      PATH: Deno.env.get("PATH") ?? "",
    },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const [peak_memory] = await Promise.all([peakMemoryOf(child), drain(child.stdout)]);
  return { ms: performance.now() - begun, peak_memory };
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _chunk of stream);
}

/** Makes a home once. */
function homeOf({ directory }: Scene, name: string, make: (home: string) => void): string {
  const home = join(directory, name);
  try {
    Deno.mkdirSync(home);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return home;
    throw error;
  }
  make(home);
  return home;
}

/** A home with one session of short messages that never compacts. */
function longHome(scene: Scene, agent: GeneratedAgent): { home: string; path: string } {
  const path = placeOf(agent, 0);
  const home = homeOf(scene, `long-${agent}`, (home) => {
    Deno.mkdirSync(join(home, path, ".."), { recursive: true });
    makeAgentLog(agent, join(home, path), SHORT_MESSAGES[agent], { shape: "short", id: ID });
  });
  return { home, path: join(home, path) };
}

/** Names of the agents, as in the rows. */
const TITLES: Readonly<Record<GeneratedAgent, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  pi: "pi",
};
/** The program beside commands without a peer: it shows the least time of a start. */
const HELLO = "the start of a program that prints one word";

function sizedSession(agent: GeneratedAgent): string {
  return `a ${TITLES[agent]} session of ${SHORT_MESSAGES[agent] / 1e6} MB`;
}

/** Names the run of a command whose first run filled the cache. */
function withCache(figure: string): string {
  return `${figure}, with a cache`;
}

/** A peer's way to the conversation of a session. */
type Load = (home: string, path: string) => Promise<Sample>;

/** What a peer gives of a conversation: the messages with their calls, or the texts alone. */
type Form = "conversation" | "texts";

const CODEX = "@openai/codex@0.169.0 app-server";
const LOADS: readonly [Form, GeneratedAgent, string, Load][] = [
  [
    "conversation",
    "claude",
    peerName("sdk"),
    (home) => loadByPeer("sdk", "claude_messages", home, ID),
  ],
  // Its answer has the texts alone: it is the same for both forms.
  ["texts", "codex", CODEX, (home) => readByCodex(home, ID)],
  ["conversation", "codex", CODEX, (home) => readByCodex(home, ID)],
  [
    "conversation",
    "pi",
    peerName("pi73"),
    (home, path) => loadByPeer("pi73", "pi_messages", home, path),
  ],
  [
    "conversation",
    "pi",
    peerName("pi87"),
    (home, path) => loadByPeer("pi87", "pi_messages", home, path),
  ],
];

/** The conversation of a long session: in process, and by the whole command to a pipe. */
function conversations([form, agent, peer, load]: typeof LOADS[number]): Comparison {
  const [task, ...options] = form === "texts"
    ? ["foreign_texts", "--tools", "omit"] as const
    : ["foreign_conversation"] as const;
  return {
    figure: `the ${form === "texts" ? "texts" : "conversation"} of ${sizedSession(agent)}`,
    async measure(scene, figure): Promise<PeerRow[]> {
      const { home, path } = longHome(scene, agent);
      const theirs = (): Promise<Sample> => load(home, path);
      const held = await takeTurns(
        scene.rounds,
        () => runTask(task, agent, path),
        theirs,
      );
      const words = ["conversation", ...options];
      const command = [scene.reprise, ...words, path];
      const piped = await takeTurns(scene.rounds, () => timed(home, command), theirs);
      return [
        peerRow(`the library returns ${figure}`, peer, ...held),
        peerRow(`\`${words.join(" ")}\` prints ${figure}`, peer, ...piped),
      ];
    },
  };
}

/** Lists of many sessions, the first time and with what the first list kept. */
function lists(
  agent: GeneratedAgent,
  count: number,
  bytes: number,
  peer: string,
  list: (home: string) => Promise<Sample>,
): Comparison {
  return {
    figure: `\`list\` shows ${count} ${TITLES[agent]} sessions`,
    async measure(scene, figure): Promise<PeerRow[]> {
      const home = homeOf(
        scene,
        `list-${agent}-${count}`,
        (home) => makeAgentHome(agent, home, { count, bytes, shape: "short" }),
      );
      const command = [scene.reprise, "list", "--all", "--json"];
      const first = await takeTurns(
        scene.rounds,
        () => timed(home, [...command, "--no-cache"]),
        () => list(home),
      );
      const again = await takeTurns(scene.rounds, () => timed(home, command), () => list(home));
      return [peerRow(figure, peer, ...first), peerRow(withCache(figure), peer, ...again)];
    },
  };
}

const USAGE: Comparison = {
  figure: `\`stats\` adds up ${USAGE_BYTES / 1e6} MB of sessions`,
  async measure(scene, figure): Promise<PeerRow[]> {
    const program = await ccusage();
    const home = homeOf(scene, "usage", (home) => makeUsageHome(home, USAGE_BYTES));
    const theirs = (): Promise<Sample> =>
      timed(home, [program, "claude", "daily", "--json", "--offline", "-z", "UTC"]);
    const command = [scene.reprise, "stats", "--agent", "claude", "--all", "--json"];
    const first = await takeTurns(
      scene.rounds,
      () => timed(home, [...command, "--no-cache"]),
      theirs,
    );
    const again = await takeTurns(scene.rounds, () => timed(home, command), theirs);
    const peer = `ccusage@${CCUSAGE_VERSION}`;
    return [peerRow(figure, peer, ...first), peerRow(withCache(figure), peer, ...again)];
  },
};

/** A program that only says hello: what a start takes. */
function helloIn({ directory }: Scene): string {
  const source = join(directory, "hello.ts");
  Deno.writeTextFileSync(source, 'console.log("Hello");\n');
  return compileProgram(join(directory, "hello"), source);
}

const START: Comparison = {
  figure: "`list` shows ten sessions",
  async measure(scene, figure): Promise<PeerRow[]> {
    const hello = helloIn(scene);
    const home = homeOf(
      scene,
      "ten",
      (home) =>
        makeBenchStore({
          root: join(home, "store"),
          sessions: 10,
          bytes: 20_000,
          directories: [home],
        }),
    );
    const rounds = scene.rounds * STARTS;
    const samples = await takeTurns(
      rounds,
      () => timed(home, [scene.reprise, "list"]),
      () => timed(home, [hello]),
    );
    return [peerRow(figure, HELLO, ...samples)];
  },
};

/** 400 sessions each of three agents, in a home without a store. */
function manyHome(scene: Scene): string {
  return homeOf(scene, "search", (home) => {
    for (const agent of ["claude", "codex", "pi"] as const) {
      makeAgentHome(agent, home, { bytes: SEARCHED_BYTES / 1200, shape: "short" });
    }
  });
}

/** What a person runs again and again, against a start: what was read before is cached. */
const AGAIN: Comparison = {
  figure: "commands that a person repeats",
  async measure(scene): Promise<PeerRow[]> {
    const hello = helloIn(scene);
    const home = manyHome(scene);
    const { path } = longHome(scene, "claude");
    const rows: PeerRow[] = [];
    for (
      const [args, figure] of [
        [["list", "--all", "-n", "40"], withCache("shows 40 of 1200 sessions")],
        [["stats", "--all"], withCache("adds up 1200 sessions")],
        [["show", "--last", "20", path], `prints the end of ${sizedSession("claude")}`],
        [["show", "--last", "20", "--json", path], `prints the end of ${sizedSession("claude")}`],
      ] as const
    ) {
      const command = [scene.reprise, ...args];
      const samples = await takeTurns(
        scene.rounds,
        () => timed(home, command),
        () => timed(home, [hello]),
      );
      const command_line = args.filter((word) => word !== path).join(" ");
      rows.push(peerRow(`\`${command_line}\` ${figure}`, HELLO, ...samples));
    }
    return rows;
  },
};

const SEARCH: Comparison = {
  figure: `\`search\` finds no match in ${SEARCHED_BYTES / 1e6} MB without an index`,
  async measure(scene, figure): Promise<PeerRow[]> {
    const home = manyHome(scene);
    const samples = await takeTurns(
      scene.rounds,
      () => timed(home, [scene.reprise, "search", "--all", SEARCHED]),
      () => timed(home, ["rg", "-i", "--hidden", "--no-ignore", SEARCHED, home]),
    );
    return [peerRow(figure, "ripgrep", ...samples)];
  },
};

const COMPARISONS: readonly Comparison[] = [
  ...LOADS.map(conversations),
  lists(
    "claude",
    400,
    250_000,
    `${peerName("sdk")} listSessions`,
    (home) => loadByPeer("sdk", "claude_sessions", home),
  ),
  lists(
    "pi",
    400,
    250_000,
    `${peerName("pi87")} listAll`,
    (home) => loadByPeer("pi87", "pi_sessions", home),
  ),
  lists(
    "claude",
    10_000,
    3_000,
    `${peerName("sdk")} listSessions`,
    (home) => loadByPeer("sdk", "claude_sessions", home),
  ),
  USAGE,
  AGAIN,
  SEARCH,
  START,
];

function machine(): string {
  const [cpu] = cpus();
  return `${cpu?.model ?? "unknown processor"}, ${navigator.hardwareConcurrency} cores, ` +
    `${Deno.build.target}, Deno ${Deno.version.deno}`;
}

function note(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Measures what is asked for. A comparison that fails is left out, and said. */
async function main(given: string[]): Promise<void> {
  const { values } = parseArgs({
    args: given,
    options: {
      rounds: { type: "string", default: "5" },
      keep: { type: "string" },
      only: { type: "string", default: "" },
    },
  });
  if (values.keep !== undefined) await Deno.mkdir(values.keep, { recursive: true });
  const directory = await Deno.realPath(values.keep ?? await Deno.makeTempDir());
  try {
    const reprise = compileProgram(join(directory, "program"));
    const scene = { directory, rounds: Number(values.rounds), reprise };
    const rows: PeerRow[] = [];
    for (const { figure, measure } of COMPARISONS) {
      if (!figure.includes(values.only)) continue;
      note(`${figure} …`);
      try {
        rows.push(...await measure(scene, figure));
      } catch (error) {
        note(`left out: ${error}`);
      }
    }
    const figures: PeerFigures = {
      date: new Date().toISOString().slice(0, 10),
      machine: machine(),
      rounds: scene.rounds,
      rows,
    };
    const table = peersTable(figures);
    Deno.stdout.writeSync(new TextEncoder().encode(`${figures.machine}\n${table}\n`));
    // A part of the rows is for looking at: the page has all of one run.
    if (values.only === "") await publish(figures);
  } finally {
    if (values.keep === undefined) await Deno.remove(directory, { recursive: true });
  }
}

async function publish(figures: PeerFigures): Promise<void> {
  await Deno.writeTextFile(PEERS_FILE, `${JSON.stringify(figures, null, 2)}\n`);
  const page = await Deno.readTextFile(PAGE);
  await Deno.writeTextFile(
    PAGE,
    page.replace(TABLE, (_, open, close) => open + peersText(figures) + close),
  );
}

if (import.meta.main) await main(Deno.args);
