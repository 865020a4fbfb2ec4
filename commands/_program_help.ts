/** The help of the program: its commands in groups, with a line for each. Loads no command. */
import type { Flags } from "./_command.ts";

interface CommandGroup {
  title: string;
  /** Everyday commands with their summaries. `reprise --help` lists only these. */
  daily: Readonly<Record<string, string>>;
  more: Readonly<Record<string, string>>;
}

const GROUPS: readonly CommandGroup[] = [
  {
    title: "Find and read",
    daily: {
      list: "list this project's sessions, of all agents",
      search: "find words in sessions",
      show: "read a session in the terminal",
      open: "read and search sessions in the browser",
      watch: "show which sessions are running, and what each does",
      stats: "add up tokens and costs",
      files: "show and restore the files that a session changed",
      blame: "show which prompt wrote each line of a file or commit",
    },
    more: {
      digest: "show what was done since yesterday, project by project",
      context: "show what the model's context still has, and what it lost",
      conversation: "print the messages that the model receives, as JSON",
      diff: "show how two sessions differ",
      path: "print the path of a session",
      statusline: "print a status line for Claude Code to show",
      hook: "show a starting agent how this project's last session ended",
      cap: "set a cost limit at which Claude Code stops",
      mcp: "give an agent access to past sessions, over MCP",
    },
  },
  {
    title: "Continue",
    daily: {
      resume: "continue a session in its own agent",
      handover: "continue a session in another agent",
      fork: "copy a session up to any point, and continue there",
    },
    more: {
      chat: "chat with a model, and save the session",
      acp: "continue sessions inside Zed, JetBrains, Neovim and Emacs",
      record: "record a session from any program",
      merge: "merge several sessions into one",
    },
  },
  {
    title: "Share, back up",
    daily: {
      export: "write a session as HTML, Markdown, JSON or a site",
      sync: "share sessions with your machines or with a team",
      backup: "back up sessions before their agents delete them",
    },
    more: {
      send: "hand a session and its work to another machine or person",
      take: "continue a session that somebody sent",
      import: "copy another agent's session into Reprise",
      key: "make keys for encrypted files",
      secrets: "find keys and passwords in a session",
    },
  },
  {
    title: "Tidy",
    daily: {
      rename: "give a session a title",
      tag: "tag a session, to filter lists and searches",
      delete: "move sessions to the trash",
    },
    more: {
      trash: "list, restore or delete the sessions in the trash",
      pin: "never move a session to the trash for its age or size",
      note: "write a note about a session",
      archive: "hide sessions from lists",
      relink: "tell Reprise that a project directory moved",
      pack: "compress an agent's old sessions in place",
    },
  },
  {
    title: "Maintain",
    daily: {
      setup: "connect your agents and your shell to Reprise",
      doctor: "check a session or the store, find hidden sessions",
    },
    more: {
      repair: "repair a damaged session",
      config: "read and change settings",
      cache: "show or clear the cache",
      index: "build or remove the search index",
      completions: "print a script for Tab completion in your shell",
      version: "print the version, and how old this build is",
      help: "show the help of a command, or all commands: `help all`",
    },
  },
];

export const SUMMARIES: ReadonlyMap<string, { group: string; summary: string }> = new Map(
  GROUPS.flatMap(({ title, daily, more }) =>
    Object.entries({ ...daily, ...more })
      .map(([name, summary]) => [name, { group: `${title}:`, summary }] as const)
  ),
);

export const VERSION_FLAG = "-v, --version";

export const PROGRAM = {
  description: "Finds, shows, records and resumes the sessions of coding agents.",
  flags: {
    [VERSION_FLAG]: "print the version",
    "--no-color": "print without colours; works with any command",
    "--no-cache": "do not read or write the cache; works with any command",
    "--no-catalogue": { hidden: true },
  } as const satisfies Flags,
  notes: `
REF names a session. Give the session's id, or its first four characters. If
this fits two sessions, put the agent before the id (codex:01a1), or give a
path. team:OWNER/ID is a session in your team's store. REF#12 is event 12 of a
session. REF@ID is the record with this id in the agent's own file. REF~ID is a
thread of the session: a branch or a subagent. Flags come after the command.

Reprise's own sessions are in $REPRISE_HOME. If it is not set, they are in
$XDG_STATE_HOME/reprise or in ~/.local/state/reprise. The cache is in
$REPRISE_CACHE. If it is not set, the cache is in $XDG_CACHE_HOME/reprise or in
~/.cache/reprise. NO_COLOR works like --no-color.
`,
  examples: [
    "reprise                          browse all sessions in full screen",
    "reprise list                     list this project's sessions",
    "reprise show 3f2a                print the session's transcript",
    "reprise watch                    show which sessions are running",
    `reprise search "off by one"      search this project's sessions`,
    "reprise chat --model mock        try the chat offline",
    "my-agent | reprise record        record a session from any program",
  ],
};

const TERM_WIDTH = 15;

/** Lists the everyday commands in fewer than 24 lines, the height of a small terminal. */
export function shortHelp(): string {
  const width = 2 + Math.max(...GROUPS.map(({ title }) => title.length));
  const lines = GROUPS.flatMap(({ title, daily }) =>
    Object.entries(daily).map(([name, summary], index) =>
      (index === 0 ? title : "").padEnd(width) + name.padEnd(10) + summary
    )
  );
  return `Usage: reprise [command]     without a command: choose a session to read

${lines.join("\n")}
REF stands for a session: the first four characters of its id, such as 3f2a
All commands and flags: reprise help all     One command: reprise help show
`;
}

function wholeHelp(): string {
  const flags = Object.entries({ ...PROGRAM.flags, "-h, --help": "show help" })
    .filter((row): row is [string, string] => typeof row[1] === "string");
  const lists = GROUPS.map(({ title, daily, more }) =>
    `${title}:\n${rowsOf(Object.entries({ ...daily, ...more }))}\n`
  );
  return `Usage: reprise [command] [options]

${PROGRAM.description}

Options:
${rowsOf(flags)}

${lists.join("\n")}${PROGRAM.notes}
Examples:
${PROGRAM.examples.map((line) => `  ${line}\n`).join("")}`;
}

function rowsOf(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([term, about]) => `  ${term.padEnd(TERM_WIDTH)}${about}`).join("\n");
}

export function helpAsked([word = "", ...more]: readonly string[]): string | undefined {
  if (!["--help", "-h", "help"].includes(word)) return undefined;
  if (more.length === 0) return shortHelp();
  return more.length === 1 && more[0] === "all" ? wholeHelp() : undefined;
}
