/**
 * The responses of one session, of all its threads.
 */
import type { SessionReader } from "../../source/agent.ts";
import { type PackedUsage, packUsage } from "./packed_usage.ts";

/**
 * Reads what a session took.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function readPackedUsage(reader: SessionReader): Promise<PackedUsage> {
  return packUsage((await Array.fromAsync(reader.usage())).flat());
}
