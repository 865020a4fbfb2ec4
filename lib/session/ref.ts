/**
 * References to sessions as people write them. Pure.
 *
 * @module
 */
import { SessionError } from "../event/session_error.ts";

/** What a reference says. */
export type Ref =
  | { kind: "path"; path: string; seq?: number }
  | { kind: "agent"; agent: string; prefix: string; seq?: number }
  | { kind: "id"; prefix: string; seq?: number };

/** The shortest prefix of an id that may name a session. */
export const SHORTEST_PREFIX = 4;

const PATH = /[\\/]|^\.\.?$|\.(?:jsonl|json|db|sqlite|md|zst)$/;
const PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

function invalid(ref: string, reason: string): SessionError {
  return new SessionError("invalid-ref", `Cannot use reference "${ref}": ${reason}`, { ref });
}

/**
 * Reads a reference: a path, `<agent>:<id prefix>`, or the prefix of an id; `#<seq>` after it names
 * an event.
 *
 * @param ref As written.
 * @param agents Names before a colon that mean an agent.
 * @throws {SessionError} `invalid-ref` that says what a reference may be.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseRef } from "@reprise/reprise";
 *
 * assert.deepEqual(parseRef("3f2a91c0#12"), { kind: "id", prefix: "3f2a91c0", seq: 12 });
 * assert.deepEqual(parseRef("./old.jsonl"), { kind: "path", path: "./old.jsonl" });
 * assert.deepEqual(parseRef("pi:01a1", ["pi"]), { kind: "agent", agent: "pi", prefix: "01a1" });
 * ```
 */
export function parseRef(ref: string, agents: readonly string[] = []): Ref {
  const event = /#(\d+)$/.exec(ref);
  const name = event === null ? ref : ref.slice(0, event.index);
  const seq = event === null ? undefined : { seq: Number(event[1]) };
  if (name === "") throw invalid(ref, "it is empty; give an id, its first characters, or a path");
  if (PATH.test(name)) return { kind: "path", path: name, ...seq };
  const colon = name.indexOf(":");
  if (colon >= 0) {
    const agent = name.slice(0, colon);
    if (!agents.includes(agent)) {
      const known = agents.length === 0 ? "none here" : agents.join(", ");
      throw invalid(ref, `"${agent}" is no agent; known are ${known}`);
    }
    return { kind: "agent", agent, prefix: checkedPrefix(ref, name.slice(colon + 1), 1), ...seq };
  }
  return { kind: "id", prefix: checkedPrefix(ref, name, SHORTEST_PREFIX), ...seq };
}

function checkedPrefix(ref: string, prefix: string, shortest: number): string {
  if (prefix.includes("#")) throw invalid(ref, "what follows # is the number of an event");
  if (!PREFIX.test(prefix)) {
    throw invalid(
      ref,
      "an id has letters, digits, dots, dashes and underscores; a path has a separator",
    );
  }
  if (prefix.length < shortest) {
    const reason = `give at least ${shortest} characters of the id; a path has a separator`;
    throw invalid(ref, reason);
  }
  return prefix;
}
