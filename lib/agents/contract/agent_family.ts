/** Describes agents that keep their sessions in the format of another agent. */
import type { AgentName } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import type { Agent, AgentSession } from "./agent.ts";
import type { AgentDescriptor, LocateSessions } from "./agent_descriptor.ts";
import type { AgentPlace } from "./agent_environment.ts";
import type { SessionWriter } from "./session_writer.ts";

/** The parts of a descriptor that an agent defines itself if it uses another agent's format. */
export interface FamilyMember
  extends Omit<AgentDescriptor, "loadLocate" | "loadReader" | "format" | "variables"> {
  /** The agent's own environment variables, by the base agent's variables that they replace. */
  readonly renames?: Readonly<Record<string, string>>;
}

/**
 * Returns the descriptor of a member: an agent that uses the session format of `base`. The member
 * takes search, reader, limits, watched folders and the detection of running clients from `base`.
 * Everything else is the member's own. The environment variables of `base` do not affect the
 * member, except those that it renames. So the member may also use the writer of `base`.
 */
export function familyMember(
  base: AgentDescriptor,
  { renames = {}, ...own }: FamilyMember,
): AgentDescriptor {
  const { watched, marked, asks, ends_open_calls, isSubagent } = base;
  const { loadOpenMarks, loadPlanLimits } = base;
  const { loadWriter } = own;
  const ownPlace = (place: AgentPlace): AgentPlace => placeOf(place, base, renames);
  return {
    ...present({ watched, marked, asks, ends_open_calls, isSubagent }),
    ...present({ loadOpenMarks, loadPlanLimits }),
    ...own,
    format: base.name,
    variables: Object.values(renames),
    async loadLocate(): Promise<LocateSessions> {
      const locate = await base.loadLocate();
      return (place, options) => renamed(locate(ownPlace(place), options), own.name);
    },
    async loadReader(): Promise<Agent> {
      const reader = await base.loadReader();
      const rename = (session: AgentSession): AgentSession => ({ ...session, agent: own.name });
      const sessionsIn: Agent["sessionsIn"] = async (path) =>
        (await reader.sessionsIn(path)).map(rename);
      return { ...reader, name: own.name, sessionsIn };
    },
    ...present({ loadWriter: loadWriter && (async () => placed(await loadWriter(), ownPlace)) }),
  };
}

/**
 * Returns a place that answers each variable of the base agent with the member's variable from
 * `renames`. A variable of the base agent that `renames` lacks is undefined.
 */
function placeOf(
  place: AgentPlace,
  { variables = [] }: AgentDescriptor,
  renames: Readonly<Record<string, string>>,
): AgentPlace {
  return {
    ...place,
    variable(name): string | undefined {
      if (!variables.includes(name)) return place.variable(name);
      const own = renames[name];
      return own === undefined ? undefined : place.variable(own);
    },
  };
}

function placed(
  writer: SessionWriter,
  ownPlace: (place: AgentPlace) => AgentPlace,
): SessionWriter {
  return {
    ...writer,
    place: (place, ...more) => writer.place(ownPlace(place), ...more),
    write: (session, place) => writer.write(session, ownPlace(place)),
  };
}

async function* renamed(
  sessions: AsyncIterable<AgentSession>,
  agent: AgentName,
): AsyncGenerator<AgentSession> {
  for await (const session of sessions) yield { ...session, agent };
}
