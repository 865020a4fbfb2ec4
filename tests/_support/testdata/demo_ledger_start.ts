/**
 * How the demo sessions in the ledger's folder begin.
 */
import type { Step } from "./demo_clock.ts";
import { started } from "./drafts.ts";
import { draft } from "./event_line.ts";

/** The folder of the ledger. */
export const LEDGER = "/home/ada/src/ledger";

/** The head of every session in the ledger's folder. */
export function ledgerStart(session_id: string, created_at: string, commit: string): Step[] {
  const git = { branch: "main", commit, remote: "git@git.example.org:ada/ledger.git" };
  return [
    [
      0,
      started({
        session_id,
        created_at,
        cwd: LEDGER,
        app: { name: "reprise", version: "0.1.0" },
        git,
        environment: { sandbox: "workspace-write", approval: "on-request", search: "off" },
      }),
    ],
    [
      0.021,
      draft("context_loaded", {
        sources: [
          {
            kind: "instructions",
            path: `${LEDGER}/AGENTS.md`,
            scope: "project",
            hash: "7c9fa136d4413fa6173637e883b6998d32e1d675f88cddff9dcbcf331820f4b8",
            bytes: 1184,
            truncated: false,
          },
          {
            kind: "instructions",
            path: "/home/ada/.config/reprise/AGENTS.md",
            scope: "user",
            hash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            bytes: 0,
            truncated: false,
          },
        ],
      }),
    ],
  ];
}

/** How the work tree stands at the start of the main session. */
export function snapshot(): Step {
  return [
    0.04,
    draft("workspace_snapshot", {
      root: LEDGER,
      git_branch: "main",
      git_status: "?? inbox/november.csv",
      files: ["AGENTS.md", "CHANGELOG.md", "deno.json", "inbox", "src", "tests"],
      context_used: 6820,
      context_limit: 200_000,
    }),
  ];
}
