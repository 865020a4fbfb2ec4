/** The program as a table: its commands in groups, its flags and its help. */
import type { CommandTable, Flags } from "./_command.ts";

/**
 * All commands, in the help's groups and order. A command line loads only the named one, because
 * loading all takes longer than most commands run.
 */
const GROUPS: Readonly<Record<string, Readonly<Record<string, () => Promise<CommandTable>>>>> = {
  "Find and read:": {
    list: async () => (await import("./list.ts")).listCommand,
    show: async () => (await import("./show.ts")).showCommand,
    watch: async () => (await import("./watch.ts")).watchCommand,
    open: async () => (await import("./open.ts")).openCommand,
    files: async () => (await import("./files.ts")).filesCommand,
    blame: async () => (await import("./blame.ts")).blameCommand,
    search: async () => (await import("./search.ts")).searchCommand,
    conversation: async () => (await import("./conversation.ts")).conversationCommand,
    context: async () => (await import("./context.ts")).contextCommand,
    path: async () => (await import("./path.ts")).pathCommand,
    stats: async () => (await import("./stats.ts")).statsCommand,
    statusline: async () => (await import("./statusline.ts")).statuslineCommand,
    mcp: async () => (await import("./mcp.ts")).mcpCommand,
    skill: async () => (await import("./skill.ts")).skillCommand,
  },
  "Continue:": {
    resume: async () => (await import("./resume.ts")).resumeCommand,
    handover: async () => (await import("./handover.ts")).handoverCommand,
    chat: async () => (await import("./chat.ts")).chatCommand,
    acp: async () => (await import("./acp.ts")).acpCommand,
    record: async () => (await import("./record.ts")).recordCommand,
    fork: async () => (await import("./fork.ts")).forkCommand,
    merge: async () => (await import("./merge.ts")).mergeCommand,
    diff: async () => (await import("./diff.ts")).diffCommand,
  },
  "Share and back up:": {
    export: async () => (await import("./export.ts")).exportCommand,
    import: async () => (await import("./import.ts")).importCommand,
    backup: async () => (await import("./backup.ts")).backupCommand,
    sync: async () => (await import("./sync.ts")).syncCommand,
    key: async () => (await import("./key.ts")).keyCommand,
    secrets: async () => (await import("./secrets.ts")).secretsCommand,
  },
  "Tidy:": {
    rename: async () => (await import("./rename.ts")).renameCommand,
    tag: async () => (await import("./tag.ts")).tagCommand,
    pin: async () => (await import("./pin.ts")).pinCommand,
    note: async () => (await import("./note.ts")).noteCommand,
    archive: async () => (await import("./archive.ts")).archiveCommand,
    relink: async () => (await import("./relink.ts")).relinkCommand,
    delete: async () => (await import("./delete.ts")).deleteCommand,
    prune: async () => (await import("./prune.ts")).pruneCommand,
    pack: async () => (await import("./pack.ts")).packCommand,
    trash: async () => (await import("./trash.ts")).trashCommand,
  },
  "Maintain:": {
    verify: async () => (await import("./verify.ts")).verifyCommand,
    repair: async () => (await import("./repair.ts")).repairCommand,
    doctor: async () => (await import("./doctor.ts")).doctorCommand,
    cache: async () => (await import("./cache.ts")).cacheCommand,
    index: async () => (await import("./index.ts")).indexCommand,
    config: async () => (await import("./config.ts")).configCommand,
    setup: async () => (await import("./setup.ts")).setupCommand,
    completions: async () => (await import("./completions.ts")).completionsCommand,
    version: async () => (await import("./version.ts")).versionCommand,
    help: async () => (await import("./help.ts")).helpCommand,
  },
};

/** Loads of all commands, each with its group. */
const COMMANDS = new Map(
  Object.entries(GROUPS).flatMap(([group, loads]) =>
    Object.entries(loads).map(([name, load]) => [name, { group, load }] as const)
  ),
);

/** The flag that asks for the version. */
export const VERSION_FLAG = "-v, --version";

const FLAGS: Flags = {
  [VERSION_FLAG]: "print the version",
  "--no-color": "without colours; with any command",
  "--no-cache": "do not read or write the cache; with any command",
  "--no-catalogue": { hidden: true },
};

const NOTES = `
A REF is an id of any agent's session or its first characters (4 or more),
agent:id, a path, or team:owner/id of a team's store; REF#12 names event 12 of
it, REF@ID a record by its own id, REF~ID a thread.
Sessions are stored in $REPRISE_HOME, else $XDG_STATE_HOME/reprise, else
~/.local/state/reprise. What was read of sessions is cached in $REPRISE_CACHE,
else $XDG_CACHE_HOME/reprise, else ~/.cache/reprise, so that no session is read
twice. NO_COLOR does what --no-color does.
`;

const EXAMPLES = [
  "reprise                          read all sessions, on the full screen",
  "reprise list                     this project's sessions",
  "reprise show 3f2a                what was said and done",
  "reprise watch                    what runs now, and what each session does",
  `reprise search "off by one"      this project's sessions, of every agent`,
  "reprise chat --model mock        try the chat offline",
  "my-agent | reprise record        record a session from any program",
];

/** Loads the command that a command line names, or all commands for help. */
export async function programTable(args: readonly string[] = []): Promise<CommandTable> {
  const [named = ""] = args;
  const all = [...COMMANDS];
  const needed = named === "help" ? [] : all.filter(([name]) => name === named);
  const commands = await Promise.all(
    (needed.length === 0 ? all : needed).map(async ([name, { group, load }]) =>
      [name, { ...await load(), group }] as const
    ),
  );
  return {
    description: "Finds, shows, records and resumes the sessions of coding agents.",
    flags: FLAGS,
    commands: Object.fromEntries(commands),
    notes: NOTES,
    examples: EXAMPLES,
  };
}
