/**
 * The contract of an agent's descriptor. It names the agent, says where its sessions are, and loads
 * the rest when that is needed. It is cheap to import, because no reader comes with it.
 *
 * @module
 */
import type { AgentName } from "../../core/event/agent_name.ts";
import type { AskingKind, ToldState } from "../../core/projection/attention.ts";
import type { PlanRecord } from "../../core/projection/plan_window.ts";
import type { Agent, AgentSession, LocateOptions } from "./agent.ts";
import type { AgentEnvironment, AgentPlace } from "./agent_environment.ts";
import type { Expiry } from "./expiry.ts";
import type { ReadFileHistory } from "./file_history.ts";
import type { NativeTitles } from "./native_title.ts";
import type { ResumeCommand } from "./resume_command.ts";
import type { SessionPacking } from "./session_packing.ts";
import type { SessionRepair } from "./session_repair.ts";
import type { SessionWriter } from "./session_writer.ts";
import type { ReadVisibility } from "./visibility.ts";

/**
 * A path of data: `~` at its start is the home, and `$NAME` the value of a variable. The value may
 * be a list with commas.
 */
export interface RootPath {
  /** The path, such as `$XDG_DATA_HOME/goose`. */
  readonly path: string;
  /** The only operating system that has it, as `Deno.build.os` names it. */
  readonly os?: string;
  /** True if the agent ignores a relative value of the variable. */
  readonly absolute?: boolean;
  /**
   * A folder above the path, which is only a root if that lists its next name. One look at it stands
   * for a look at each of many paths.
   */
  readonly listed_in?: string;
}

/** The candidates for one root, of which the first that is set counts. */
export type RootCandidates = readonly (string | RootPath)[];

/** Finds the sessions below one root; see {@linkcode Locator.locate}. */
export type LocateSessions = (
  place: AgentPlace,
  options?: LocateOptions,
) => AsyncIterable<AgentSession>;

/** Reads the rule by which an agent deletes sessions; its settings are those of one root and `cwd`. */
export type ReadExpiry = (place: AgentPlace, cwd?: string) => Expiry | undefined;

/** Reads the marks of the sessions that clients have open below one root. */
export type ReadOpenMarks = (place: AgentPlace) => Promise<OpenMarks> | OpenMarks;

/**
 * Reads the limits of a plan from the records of one root.
 *
 * @param place The root. @param recent Finds the sessions that changed last, the newest first.
 */
export type ReadPlanLimits = (
  place: AgentPlace,
  recent: () => Promise<readonly AgentSession[]>,
) => Promise<PlanRecord[]> | PlanRecord[];

/** The moment at which a hook runs: a session starts, was compacted, or is about to call a tool. */
export type HookMoment = "start" | "compact" | "call";

/** A place for one hook. */
export type HookPlace =
  & { readonly path: RootCandidates }
  & (
    | {
      /** The keys of a list in settings in JSON. */
      readonly keys: readonly [outer: string, ...inner: string[]];
      /** Returns the list's entry for a command line. */
      entry(command: string): Readonly<Record<string, unknown>>;
    }
    | {
      /** Returns the text of a file of its own for a command line. */
      text(command: string): string;
    }
  );

/** The places where `reprise setup` installs the skill, the MCP server, hooks and the status line. */
export interface AgentSetup {
  /** The agent's program, as it is called on `PATH`. */
  readonly program: string;
  /** The folder in which it looks for the skills of all projects. */
  readonly skills: RootCandidates;
  /** Absent where the agent knows no MCP. */
  readonly servers?: ServerSettings;
  /** Absent where no program can write the agent's status line. */
  readonly status_line?: StatusLineSettings;
  /** The hooks whose answers the agent adds to its model's context, or by which it stops. */
  readonly hooks?: Readonly<Partial<Record<HookMoment, HookPlace>>>;
  /** Advice that follows a hook's name, if its user must do more before the agent runs it. */
  readonly hook_note?: string;
}

/** The part of an agent's settings in JSON that names the program of its status line. */
export interface StatusLineSettings {
  readonly file: RootCandidates;
  readonly key: string;
  /** Returns what the settings say of a command line. */
  entry(command: string): Readonly<Record<string, unknown>>;
}

/** The part of an agent's settings that lists the MCP servers of all projects. */
export interface ServerSettings {
  /** The files that may have it. The first that is there counts, else the last. */
  readonly files: readonly RootCandidates[];
  readonly format: "json" | "toml" | "yaml";
  /** The key below which each server has its own. */
  readonly key: string;
  /** Returns what the settings say of a server that a command starts. */
  entry(program: string, args: readonly string[]): Readonly<Record<string, unknown>>;
  /** Words of the agent's own command that adds a server; the server's command follows them. */
  readonly add?: readonly string[];
  /** Words of the agent's own command that removes the server. */
  readonly remove?: readonly string[];
}

/** An agent, as far as it is known without its reader. */
export interface AgentDescriptor {
  /** Its name on the command line and in references. */
  readonly name: AgentName;
  /** The agent's name as its makers write it. */
  readonly title: string;
  readonly aliases?: readonly string[];
  /** The agent whose format it keeps, if that is another's; see `familyMember`. */
  readonly format?: AgentName;
  /** Its roots: each folder holds settings and sessions. New sessions are written to the first. */
  readonly roots: readonly RootCandidates[] | ((environment: AgentEnvironment) => string[]);
  /** Folders in which sessions lie as files, below a root or as a {@linkcode RootPath}'s path. */
  readonly watched?: readonly string[];
  /** Folders below a root in which running clients leave marks, outside of those with sessions. */
  readonly marked?: readonly string[];
  /** Folders below a root with earlier states of the user's files, as far as sessions name them. */
  readonly snapshots?: readonly string[];
  /** Variables that move sessions, besides those of the roots. */
  readonly variables?: readonly string[];
  /** True if it may have sessions. By default, an existing root tells. */
  mayHaveSessions?(environment: AgentEnvironment): boolean;
  /**
   * Returns the files that a session's summary is read from, its own first. By default the names of
   * its file and folder tell.
   */
  files?(session: AgentSession): readonly string[];
  /**
   * True for the work of a subagent whose session is gone. Only for agents whose records do not say
   * who started a session.
   */
  isSubagent?(session: AgentSession): boolean;
  /** True where its files and its address name all files of a session: it has no others. */
  readonly names_files?: boolean;
  /** The tools by which its model asks the user, by their names in records. */
  readonly asks?: Readonly<Record<string, AskingKind>>;
  /** True if its reader ends open calls: as interrupted, without an output. */
  readonly ends_open_calls?: boolean;
  /** True where records tell of a call only once it has ended. */
  readonly tells_ended_calls?: boolean;
  /** True while a process is writing the session. Only for agents whose writers all hold a lock. */
  isActive?(session: AgentSession): boolean;
  /**
   * Returns the command that continues the session in the agent itself; undefined where it has none.
   * The id in it is not checked yet.
   */
  resumeCommand(session: AgentSession): ResumeCommand | undefined;
  /** The places that `reprise setup` writes to. Without them, it skips the agent. */
  readonly setup?: AgentSetup;
  loadLocate(): Promise<LocateSessions>;
  /**
   * Loads the search for the sessions that its history of prompts names, deleted ones too. Its reader
   * opens them. Absent for an agent without a history.
   */
  loadHistory?(): Promise<LocateSessions>;
  loadReader(): Promise<Agent>;
  /** Loads the marks of running clients. Without this method clients leave none. */
  loadOpenMarks?(): Promise<ReadOpenMarks>;
  /** Loads the limits of its plan. Without this method its records have none. */
  loadPlanLimits?(): Promise<ReadPlanLimits>;
  /** Loads its rule of deletion. An agent without this method never deletes a session by itself. */
  loadExpiry?(): Promise<ReadExpiry>;
  /** Loads the rule of its own list. Without this method it is not known what the list shows. */
  loadVisibility?(): Promise<ReadVisibility>;
  /** Loads the writer of its sessions. An agent without this method takes no session from another. */
  loadWriter?(): Promise<SessionWriter>;
  /** Loads how it gives a session a title itself. Without this method `rename --native` refuses. */
  loadTitles?(): Promise<NativeTitles>;
  /** Loads the contents of files that it recorded. Without this method only its calls tell. */
  loadFileHistory?(): Promise<ReadFileHistory>;
  /** Loads what can be done about its damaged sessions. Without this method none is repaired. */
  loadRepair?(): Promise<SessionRepair>;
  /** Loads how it reads its own sessions compressed. Without this method none is packed in place. */
  loadPacking?(): Promise<SessionPacking>;
}

/** Pid files, locks or other marks, as they are at one moment. */
export interface OpenMarks {
  /** Ids of the sessions that have one; absent where each session must be asked. */
  named?: ReadonlySet<string>;
  /**
   * True while a process has the session open, false if one ended without closing it. Undefined
   * where no mark tells.
   */
  isOpen(session: AgentSession): Promise<boolean | undefined> | boolean | undefined;
  /** Returns the process that has the session open. Without it, marks name no process. */
  processOf?(session: AgentSession): number | undefined;
  /** Returns what the mark of a session says of its work. Without it, marks tell of open ones only. */
  tells?(session: AgentSession): ToldState | undefined;
}
