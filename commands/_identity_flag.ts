/** `--identity`, of commands that read encrypted files. */
import { collected, type Flags, type FlagsOf } from "./_command.ts";

/** `--identity`, which may be given again. */
export const IDENTITY_FLAG = {
  "--identity <file>": {
    help: "a file of age identities, for what is encrypted (default: $REPRISE_IDENTITY)",
    parse: collected,
  },
} as const satisfies Flags;

/** The flag as a command gets it. */
export type IdentityFlags = FlagsOf<typeof IDENTITY_FLAG>;
