/** Names the event of a block as a reference does. */
import type { BlockBase } from "./block.ts";

const UUID = /^([0-9a-f]{8})-[0-9a-f]{4}-/;

/** Returns ` #12`, or ` @3f2a91c0` where only the record is known; empty where neither is. */
export function blockName({ seq, id }: BlockBase): string {
  if (id === undefined) return seq === 0 ? "" : ` #${seq}`;
  return id === "" ? "" : ` @${UUID.exec(id)?.[1] ?? id}`;
}
