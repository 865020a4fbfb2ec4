/**
 * The picture of ARCHITECTURE.md as data: six groups of rooms, the arrows between groups, and the
 * order of the rooms in each.
 */
import { edges, type Sources } from "./source_code.ts";

/** Rooms of one corridor of lib. */
interface Group {
  /** Groups that its rooms may import. */
  below: readonly string[];
  /** Its rooms from above: a room imports rooms of later rows, and none of its own row. */
  rows: readonly (readonly string[])[];
}

/** The rooms of all agents, which do not import each other. */
const AGENTS = "<agent>";

export const GROUPS: Readonly<Record<string, Group>> = {
  frontends: {
    below: ["features", "library", "text", "agents", "core"],
    rows: [["pages", "mcp", "acp", "screens", "recall"], ["ui"]],
  },
  features: {
    below: ["library", "text", "agents", "core"],
    rows: [
      [
        "handover",
        "backup",
        "repair",
        "blame",
        "team",
        "chat",
        "export",
        "setup",
        "digest",
        "adapters",
      ],
    ],
  },
  library: {
    below: ["text", "agents", "core"],
    rows: [
      // The entry.
      ["mod"],
      ["touches", "examined", "running", "limits"],
      // Files of the group itself: the library, and relinking.
      ["search", "library"],
      ["query"],
      ["handle"],
      ["counts"],
      ["catalogue"],
      ["machine"],
    ],
  },
  text: { below: ["core"], rows: [["render", "redaction", "shape", "seal"]] },
  agents: { below: ["core"], rows: [[AGENTS], ["engine"], ["contract"]] },
  core: {
    below: [],
    rows: [
      ["pipeline"],
      ["store"],
      ["pricing"],
      ["log", "projection", "workspace"],
      ["file"],
      ["platform"],
      ["event"],
    ],
  },
};

/** What stands outside of lib, and the groups that it imports. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  main: ["commands", "core"],
  commands: Object.keys(GROUPS),
  mod: ["text", "core"],
};

/** Imports that the picture forbids, one by one, each with its reason. */
const EXCEPTIONS: readonly (readonly [reason: string, from: string, to: string])[] = [
  [
    "an open session gives its conversation in a provider's shape",
    "lib/core/store/session.ts",
    "lib/text/shape/message_shape.ts",
  ],
  [
    "an open session gives its conversation in a provider's shape",
    "lib/core/store/open_conversation.ts",
    "lib/text/shape/message_shape.ts",
  ],
  [
    "an open session converts each message once",
    "lib/core/store/open_conversation.ts",
    "lib/text/shape/running_request.ts",
  ],
  ["the executable knows its version", "main.ts", "deno.json"],
];

/** Rooms that are programs: they import entries that only re-export, as any program. */
const PROGRAMS: ReadonlySet<string> = new Set(["chat", "adapters"]);
/** Rooms that `ui` imports: it knows rows and keys, and no sessions. */
const OF_ROWS_AND_KEYS: ReadonlySet<string> = new Set(["render", "platform"]);

/** The place of a file in the picture. */
export interface FilePlace {
  /** Its group; outside of lib `main`, `commands` or `mod`. */
  group: string;
  /** Its room; empty outside of lib. */
  room: string;
}

/** Returns the place of a file. */
export function placeOf(path: string): FilePlace {
  const [top = "", group = "", inner = ""] = path.split("/");
  if (top !== "lib") return { group: top.replace(".ts", ""), room: "" };
  if (inner === "mod.ts") return { group, room: "mod" };
  if (inner.endsWith(".ts")) return { group, room: group };
  const is_agent = group === "agents" && inner !== "contract" && inner !== "engine";
  return { group, room: is_agent ? AGENTS : inner };
}

/** True for a file that only re-exports: programs import it, and nothing of ours does but programs. */
export function isEntry(path: string): boolean {
  return path === "mod.ts" || path === "lib/core/pipeline/mod.ts";
}

function rowOf({ group, room }: FilePlace): number {
  return GROUPS[group]?.rows.findIndex((row) => row.includes(room)) ?? (group in OUTSIDE ? 0 : -1);
}

function isException(from: string, to: string): boolean {
  return EXCEPTIONS.some(([, one, other]) => one === from && other === to);
}

function isRight(from: string, to: string): boolean {
  if (isException(from, to)) return true;
  const [source, target] = [placeOf(from), placeOf(to)];
  const [row, other] = [rowOf(source), rowOf(target)];
  if (row < 0 || other < 0) return false;
  const is_same = source.group === target.group && source.room === target.room;
  if (is_same) return true;
  if (isEntry(to)) return PROGRAMS.has(source.room);
  // Adapters are nothing but programs.
  if (source.room === "adapters") return false;
  if (source.room === "ui") return OF_ROWS_AND_KEYS.has(target.room);
  if (source.group === target.group) return row < other;
  return (OUTSIDE[source.group] ?? GROUPS[source.group]?.below ?? []).includes(target.group);
}

/** Imports that lead up, or from a room to its neighbour. */
export function wrongArrows(sources: Sources): string[] {
  return edges(sources).filter(({ from, to }) => !isRight(from, to))
    .map(({ from, to }) => `${from} imports ${to}`);
}

/** Exceptions that no import needs any more. */
export function staleExceptions(sources: Sources): string[] {
  const all = edges(sources);
  return EXCEPTIONS.filter(([, from, to]) => !all.some((one) => one.from === from && one.to === to))
    .map(([reason, from, to]) => `${from} imports ${to}: ${reason}`);
}

/** Groups with more rooms than a screen shows, agents apart. */
export function longCorridors(): string[] {
  return Object.entries(GROUPS).filter(([name, { rows }]) =>
    rows.flat().filter((room) => room !== "mod" && room !== name).length > 10
  ).map(([name]) => name);
}

/** Returns the lines that ARCHITECTURE.md draws: what each group imports, and its rooms in order. */
export function drawing(): string[] {
  const rooms = Object.entries(GROUPS).map(([name, { rows }]) => {
    const shown = rows.map((row) =>
      row.filter((room) => room !== "mod" && room !== name).join(" ")
    );
    return `${name.padEnd(11)} ${shown.filter((row) => row !== "").join(" > ")}`;
  });
  const imports = Object.entries(GROUPS).filter(([, { below }]) => below.length > 0)
    .map(([name, { below }]) => `${name.padEnd(11)} ${below.join(" ")}`);
  return [...imports, ...rooms];
}

/** The files that some come to, however far. */
export function reachedFrom(sources: Sources, from: readonly string[]): ReadonlySet<string> {
  const next = Map.groupBy(edges(sources), (edge) => edge.from);
  const reached = new Set<string>();
  const pending = [...from];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    pending.push(...(next.get(path) ?? []).map(({ to }) => to));
  }
  return reached;
}

/** Types whose members are the same by chance. */
const ALIKE: readonly (readonly [reason: string, ...names: string[]])[] = [
  ["a step's calls and a message's are of two agents", "MessageState", "StepState"],
  ["directories of a pull, and files of a change", "FileRename", "PulledDirectory"],
];

/** Types of one name in two files, and types with the same members under two names. */
export function doubledTypes(sources: Sources): string[] {
  const types = [...sources].flatMap(([path, source]) =>
    [
      ...source.matchAll(
        /^export (?:abstract )?(interface|type|class) (\w+)([^]*?)(?:^\}|;\n(?!\s))/gm,
      ),
    ].map(([, form, name = "", body = ""]) => ({
      path,
      name,
      members: form === "class" ? "" : membersOf(body),
    }))
  );
  const named = Map.groupBy(types, ({ name }) => name);
  const alike = Map.groupBy(
    types.filter(({ members }) => members !== ""),
    ({ members }) => members,
  );
  return [
    ...[...named].filter(([, found]) => found.length > 1)
      .map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(", ")}`),
    ...[...alike.values()].map((found) => found.map(({ name }) => name).sort())
      .filter((names) => new Set(names).size > 1)
      .filter((names) => !ALIKE.some(([, ...known]) => known.join() === names.join()))
      .map((names) => `${names.join(", ")} have the same members`),
  ];
}

/** The members of a type without comments, in the order of the alphabet. */
function membersOf(body: string): string {
  const code = body.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, "").replace(/^\s*[={]\s*/, "");
  return code.split(";").map((one) => one.replaceAll(/\s+/g, " ").trim().replace(/^readonly /, ""))
    .filter((one) => one !== "").sort().join("; ");
}
