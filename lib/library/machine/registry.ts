/**
 * The list of agents by their descriptors. Reprise's own log is one of them.
 *
 * @module
 */
import { aider } from "../../agents/aider/descriptor.ts";
import { antigravity } from "../../agents/antigravity/descriptor.ts";
import { atif } from "../../agents/atif/descriptor.ts";
import { auggie } from "../../agents/auggie/descriptor.ts";
import { autohand } from "../../agents/autohand/descriptor.ts";
import { claude } from "../../agents/claude/descriptor.ts";
import { claudeDesktop, iflow, openclaude, qoder } from "../../agents/claude/family.ts";
import { cline } from "../../agents/cline/descriptor.ts";
import { kiloCode, roo } from "../../agents/cline/family.ts";
import { codebuddy } from "../../agents/codebuddy/descriptor.ts";
import { codex } from "../../agents/codex/descriptor.ts";
import { openInterpreter, traex } from "../../agents/codex/family.ts";
import { copilot } from "../../agents/copilot/descriptor.ts";
import { continued } from "../../agents/continue/descriptor.ts";
import { pearai } from "../../agents/continue/family.ts";
import { crush } from "../../agents/crush/descriptor.ts";
import { deepseek } from "../../agents/deepseek/descriptor.ts";
import { droid } from "../../agents/droid/descriptor.ts";
import { cursor } from "../../agents/cursor/descriptor.ts";
import { fen } from "../../agents/fen/descriptor.ts";
import { gemini } from "../../agents/gemini/descriptor.ts";
import { goose } from "../../agents/goose/descriptor.ts";
import { grok } from "../../agents/grok/descriptor.ts";
import { hermes } from "../../agents/hermes/descriptor.ts";
import { keen } from "../../agents/keen/descriptor.ts";
import { kiro } from "../../agents/kiro/descriptor.ts";
import { kimi } from "../../agents/kimi/descriptor.ts";
import { openhands } from "../../agents/openhands/descriptor.ts";
import { ownReader } from "../../agents/own_reader/descriptor.ts";
import { opencode } from "../../agents/opencode/descriptor.ts";
import { kilo, mimo } from "../../agents/opencode/family.ts";
import { pi } from "../../agents/pi/descriptor.ts";
import { omp, openclaw, prime } from "../../agents/pi/family.ts";
import { qwen } from "../../agents/qwen/descriptor.ts";
import { vibe } from "../../agents/vibe/descriptor.ts";
import { zed } from "../../agents/zed/descriptor.ts";
import { vscode } from "../../agents/vscode/descriptor.ts";
import { AGENT_NAMES, type AgentName, REPRISE } from "../../core/event/agent_name.ts";
import { own } from "./own/own_descriptor.ts";
import type { Agent, AgentSession, SessionReader } from "../../agents/contract/agent.ts";
import type { AgentDescriptor } from "../../agents/contract/agent_descriptor.ts";
import { rootVariables } from "../../agents/contract/agent_roots.ts";

const DESCRIPTORS: Readonly<Record<AgentName, AgentDescriptor>> = {
  [REPRISE]: own,
  ...{
    aider,
    antigravity,
    atif,
    auggie,
    autohand,
    claude,
    cline,
    codebuddy,
    codex,
    copilot,
    continue: continued,
    crush,
    deepseek,
    droid,
    cursor,
    fen,
    gemini,
    goose,
    grok,
    hermes,
    keen,
    kiro,
    kimi,
    opencode,
    openhands,
    pi,
    qwen,
    vibe,
    zed,
  },
  ...{
    iflow,
    kilo,
    mimo,
    omp,
    openclaude,
    openclaw,
    qoder,
    traex,
    "claude-desktop": claudeDesktop,
    roo,
    "kilo-code": kiloCode,
    "open-interpreter": openInterpreter,
    pearai,
    prime,
    vscode,
  },
};

/** The descriptors of agents that the user's own programs read, cached at their first use. */
const OWN_READERS = new Map<string, AgentDescriptor>();

export const OTHER_AGENTS: readonly AgentName[] = AGENT_NAMES.filter((name) => name !== REPRISE);

/** The agents that can read their own sessions in compressed form. */
export const PACKING_AGENTS: readonly AgentName[] = AGENT_NAMES.filter((name) =>
  descriptorOf(name).loadPacking !== undefined
);

/** Returns the names of the environment variables that say where agents keep their sessions. */
export function agentVariables(): string[] {
  return [...new Set(Object.values(DESCRIPTORS).flatMap(rootVariables))];
}

export function descriptorOf(name: AgentName): AgentDescriptor {
  if (Object.hasOwn(DESCRIPTORS, name)) return DESCRIPTORS[name];
  const known = OWN_READERS.get(name) ?? ownReader(name);
  OWN_READERS.set(name, known);
  return known;
}

export function agentCalled(name: string): AgentName | undefined {
  return AGENT_NAMES.find((one) =>
    one === name || descriptorOf(one).aliases?.includes(name) === true
  );
}

export async function loadAgent(name: AgentName): Promise<Agent> {
  return await descriptorOf(name).loadReader();
}

/** Opens a session without reading it. */
export async function openReader(session: AgentSession): Promise<SessionReader> {
  return (await loadAgent(session.agent)).open(session);
}
