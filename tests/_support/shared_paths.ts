/** The lines of an export, as a copy in a team's store has them. */
import { encodeEvent } from "../../lib/core/event/encode.ts";
import type { Event } from "../../lib/core/event/envelope.ts";

/** Replaces the project's directory in the head of an export by the project's name. */
export function withSharedPaths(text: string, directory: string, name: string): string {
  const end = text.indexOf("\n") + 1;
  const { crc: _crc, ...head } = JSON.parse(text.slice(0, end).replaceAll(directory, name));
  return new TextDecoder().decode(encodeEvent(head as Event)) + text.slice(end);
}
