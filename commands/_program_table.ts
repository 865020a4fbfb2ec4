/** The program as a table: its commands in groups, its flags and its help. */
import type { CommandTable } from "./_command.ts";
import { PROGRAM, SUMMARIES } from "./_program_help.ts";

/**
 * The modules of the commands. Only the module of the named command is loaded, because loading all
 * modules takes longer than most commands run.
 */
const LOADS: Readonly<Record<string, () => Promise<CommandTable>>> = {
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
  digest: async () => (await import("./digest.ts")).digestCommand,
  statusline: async () => (await import("./statusline.ts")).statuslineCommand,
  hook: async () => (await import("./hook.ts")).hookCommand,
  cap: async () => (await import("./cap.ts")).capCommand,
  mcp: async () => (await import("./mcp.ts")).mcpCommand,
  resume: async () => (await import("./resume.ts")).resumeCommand,
  handover: async () => (await import("./handover.ts")).handoverCommand,
  chat: async () => (await import("./chat.ts")).chatCommand,
  acp: async () => (await import("./acp.ts")).acpCommand,
  record: async () => (await import("./record.ts")).recordCommand,
  fork: async () => (await import("./fork.ts")).forkCommand,
  merge: async () => (await import("./merge.ts")).mergeCommand,
  diff: async () => (await import("./diff.ts")).diffCommand,
  export: async () => (await import("./export.ts")).exportCommand,
  import: async () => (await import("./import.ts")).importCommand,
  backup: async () => (await import("./backup.ts")).backupCommand,
  sync: async () => (await import("./sync.ts")).syncCommand,
  send: async () => (await import("./send.ts")).sendCommand,
  take: async () => (await import("./take.ts")).takeCommand,
  key: async () => (await import("./key.ts")).keyCommand,
  secrets: async () => (await import("./secrets.ts")).secretsCommand,
  rename: async () => (await import("./rename.ts")).renameCommand,
  tag: async () => (await import("./tag.ts")).tagCommand,
  pin: async () => (await import("./pin.ts")).pinCommand,
  note: async () => (await import("./note.ts")).noteCommand,
  archive: async () => (await import("./archive.ts")).archiveCommand,
  relink: async () => (await import("./relink.ts")).relinkCommand,
  delete: async () => (await import("./delete.ts")).deleteCommand,
  pack: async () => (await import("./pack.ts")).packCommand,
  trash: async () => (await import("./trash.ts")).trashCommand,
  repair: async () => (await import("./repair.ts")).repairCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  cache: async () => (await import("./cache.ts")).cacheCommand,
  index: async () => (await import("./index.ts")).indexCommand,
  config: async () => (await import("./config.ts")).configCommand,
  setup: async () => (await import("./setup.ts")).setupCommand,
  completions: async () => (await import("./completions.ts")).completionsCommand(programTable),
  version: async () => (await import("./version.ts")).versionCommand,
  help: async () => (await import("./help.ts")).helpCommand,
};

/** Returns the program's table. Loads only the command in `args`, or all without `args`. */
export async function programTable(args?: readonly string[]): Promise<CommandTable> {
  const named = args?.slice(0, args[0] === "help" ? 2 : 1);
  const commands = await Promise.all(
    [...SUMMARIES].map(async ([name, about]) => {
      const load = named?.includes(name) === false ? undefined : LOADS[name];
      return [name, { description: "", ...await load?.(), ...about }] as const;
    }),
  );
  return { ...PROGRAM, commands: Object.fromEntries(commands) };
}
