/**
 * The contract of an agent's descriptor. A descriptor names the agent, says where the agent's
 * sessions are, and loads all other code on demand. A descriptor is cheap to import, because it
 * imports no reader.
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
import type { SessionRows } from "./session_rows.ts";
import type { SessionWriter } from "./session_writer.ts";
import type { ReadVisibility } from "./visibility.ts";

/**
 * A path to an agent's data. A leading `~` means the home. `$NAME` means a variable's value, which
 * may list several paths with commas between them.
 */
export interface RootPath {
  /** The path, such as `$XDG_DATA_HOME/goose`. */
  readonly path: string;
  /**
   * The only operating system with this path, named as in `Deno.build.os`. Absent for all systems.
   */
  readonly os?: string;
  /** True if the agent ignores a relative value of the variable. */
  readonly absolute?: boolean;
  /**
   * An ancestor folder of `path`, listed once for many roots. The root is used only if the listing
   * contains the name that follows this folder in `path`.
   */
  readonly listed_in?: string;
}

/** The paths to try in turn as a root. A path with an unset variable or another `os` is skipped. */
export type RootCandidates = readonly (string | RootPath)[];

export type LocateSessions = (
  place: AgentPlace,
  options?: LocateOptions,
) => AsyncIterable<AgentSession>;

/** Reads an agent's rule for deleting sessions from the settings of one root and of `cwd`. */
export type ReadExpiry = (place: AgentPlace, cwd?: string) => Expiry | undefined;

/** Reads the locks and pid files that show which sessions below one root are open in a client. */
export type ReadOpenMarks = (place: AgentPlace) => Promise<OpenMarks> | OpenMarks;

/**
 * Reads the limits of a plan from the records of one root.
 *
 * @param place The root.
 * @param recent Finds the sessions that changed last, the newest first.
 */
export type ReadPlanLimits = (
  place: AgentPlace,
  recent: () => Promise<readonly AgentSession[]>,
) => Promise<PlanRecord[]> | PlanRecord[];

/** The moment at which a hook runs: a session starts, was compacted, or is about to call a tool. */
export type HookMoment = "start" | "compact" | "call";

/** The file for an agent's hook: a settings file with a list of hooks, or a file with one hook. */
export type HookPlace =
  & { readonly path: RootCandidates }
  & (
    | {
      /** The keys that lead to the list of hooks in a JSON settings file. */
      readonly keys: readonly [outer: string, ...inner: string[]];
      entry(command: string): Readonly<Record<string, unknown>>;
    }
    | {
      text(command: string): string;
    }
  );

export interface AgentSetup {
  /** The name of the agent's program on `PATH`. */
  readonly program: string;
  /** The folder from which the agent loads skills for all projects. */
  readonly skills: RootCandidates;
  readonly servers?: ServerSettings;
  readonly status_line?: StatusLineSettings;
  /** The hooks, by moment. Their answers are added to the model's context, or stop the agent. */
  readonly hooks?: Readonly<Partial<Record<HookMoment, HookPlace>>>;
  /** Advice after a hook's name, if the user must do more before the agent runs the hook. */
  readonly hook_note?: string;
}

/** The JSON settings of an agent that name the program for its status line. */
export interface StatusLineSettings {
  readonly file: RootCandidates;
  readonly key: string;
  entry(command: string): Readonly<Record<string, unknown>>;
}

/** The settings of an agent that list the MCP servers for all projects. */
export interface ServerSettings {
  /** The possible settings files. The first that exists is used, else the last of the list. */
  readonly files: readonly RootCandidates[];
  readonly format: "json" | "toml" | "yaml";
  /** The key of the settings object that has one member for each MCP server. */
  readonly key: string;
  entry(program: string, args: readonly string[]): Readonly<Record<string, unknown>>;
  /** The agent's command that adds an MCP server. The server's command line must follow it. */
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

export interface AgentDescriptor {
  /** The agent's name on the command line and in references. */
  readonly name: AgentName;
  /** The agent's name as its makers write it. */
  readonly title: string;
  readonly aliases?: readonly string[];
  /** The agent whose session format this agent uses. Absent for its own. See `familyMember`. */
  readonly format?: AgentName;
  /** The agent's roots: folders with settings and sessions. New sessions go to the first root. */
  readonly roots: readonly RootCandidates[] | ((environment: AgentEnvironment) => string[]);
  /** Folders with session files, each a path below a root or as in {@linkcode RootPath}. */
  readonly watched?: readonly string[];
  /** Folders below a root in which running clients leave locks or similar files. */
  readonly marked?: readonly string[];
  /** Folders below a root with earlier versions of the user's files, which sessions refer to. */
  readonly snapshots?: readonly string[];
  /** Folders below a root with outputs of tools, in files that the session database names. */
  readonly outputs?: readonly string[];
  /**
   * Paths of files or folders with the prompts of all sessions. A plain path is relative to a root.
   * A path that begins with `..` leads upward from a session's file. A path with `~` or a variable
   * depends on neither.
   */
  readonly prompts?: readonly string[];
  /** Variables that change where sessions are stored, besides those in `roots`. */
  readonly variables?: readonly string[];
  /** True if the agent may have sessions. Without this method, true if any root exists. */
  mayHaveSessions?(environment: AgentEnvironment): boolean;
  /**
   * Returns the files from which a session's summary is read, the session's own file first. Without
   * this method, the names of the session's file and folder determine the files.
   */
  files?(session: AgentSession): readonly string[];
  /**
   * True for a subagent's session whose parent session no longer exists. Needed only if the agent's
   * records do not name the parent.
   */
  isSubagent?(session: AgentSession): boolean;
  /** True if a session gets new files only after its path or one of its known files changes. */
  readonly names_files?: boolean;
  /** The tools with which the model asks the user a question, by tool name in the records. */
  readonly asks?: Readonly<Record<string, AskingKind>>;
  /** True if the agent's reader ends every open call as `interrupted` and without output. */
  readonly ends_open_calls?: boolean;
  /** True if a call is recorded only after it has ended. */
  readonly tells_ended_calls?: boolean;
  /** True while a process writes the session. Only for agents whose writers all hold a lock. */
  isActive?(session: AgentSession): boolean;
  /**
   * Returns the command that continues the session in the agent. Undefined if the agent has no such
   * command. The command contains the session's id unchecked.
   */
  resumeCommand(session: AgentSession): ResumeCommand | undefined;
  readonly setup?: AgentSetup;
  loadLocate(): Promise<LocateSessions>;
  /**
   * Loads the search for sessions in the agent's prompt history, including deleted sessions. The
   * agent's reader opens the found sessions. Absent if the agent keeps no prompt history.
   */
  loadHistory?(): Promise<LocateSessions>;
  loadReader(): Promise<Agent>;
  loadOpenMarks?(): Promise<ReadOpenMarks>;
  loadPlanLimits?(): Promise<ReadPlanLimits>;
  loadExpiry?(): Promise<ReadExpiry>;
  loadVisibility?(): Promise<ReadVisibility>;
  /** Loads the writer of the agent's format. Absent if the agent cannot take over sessions. */
  loadWriter?(): Promise<SessionWriter>;
  /** Loads the agent's own way to set a title. Without this method, `rename --native` refuses. */
  loadTitles?(): Promise<NativeTitles>;
  /** Loads the reader of recorded file contents. Absent if only tool calls show file contents. */
  loadFileHistory?(): Promise<ReadFileHistory>;
  loadRepair?(): Promise<SessionRepair>;
  /** Loads the code that moves database rows to another machine. If absent, only files move. */
  loadRows?(): Promise<SessionRows>;
  loadPacking?(): Promise<SessionPacking>;
}

/** The pid files, locks and other marks of running clients at one moment. */
export interface OpenMarks {
  /** Ids of the sessions that pid files or locks name. Absent if only `isOpen` can tell. */
  named?: ReadonlySet<string>;
  /**
   * True while a process has the session open. False if the process ended without closing the
   * session. Undefined if the marks show neither.
   */
  isOpen(session: AgentSession): Promise<boolean | undefined> | boolean | undefined;
  processOf?(session: AgentSession): number | undefined;
  /** Returns the state of the work from the session's lock. Absent if locks give no state. */
  tells?(session: AgentSession): ToldState | undefined;
}
