/** The options of `show`. */
import type { ToolDetail } from "../../lib/render/block/block.ts";
import type { IdentityFlags } from "../_identity_option.ts";
import type { PageFlags } from "../_page.ts";

/** What the command line says. */
export interface ShowFlags extends IdentityFlags, PageFlags {
  last?: number;
  full?: true;
  follow?: true;
  json?: true;
  events?: true;
  thread?: string;
  threads?: true;
  tools?: ToolDetail;
}
