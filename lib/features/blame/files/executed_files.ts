/** Recognizes files that tools run unasked, so that a person reviews them first. Pure. */
import type { FileContent } from "../../../agents/contract/file_history.ts";

/**
 * Files that tools run or load automatically. Files that a person runs by name, such as a Makefile,
 * are not included.
 */
const EXECUTED = [
  // Shells and version managers, as soon as one is in the folder.
  /\.envrc|\.?mise(?:\.[^/]+)?\.toml|\.tool-versions|\.autoenv\.zsh/,
  // Editors and debuggers.
  /\.(?:vscode|zed|idea|devcontainer|nvim)\/.*|\.devcontainer\.json|[^/]+\.code-workspace/,
  /\.n?vim(?:rc|\.lua)|\.exrc|\.dir-locals(?:-2)?\.el|\.[gl](?:db|ldb)init/,
  // Hooks, and what installs them.
  /\.husky\/.*|\.?git-?hooks\/.*|hooks\/[^/]+|\.pre-commit-config\.ya?ml|\.?lefthook[^/]*/,
  // Agents: hooks, servers, commands.
  /\.(?:claude|codex|cursor|gemini|qwen|kiro|opencode|windsurf|amp)\/.*/,
  /\.mcp\.json|opencode\.jsonc?/,
  // Package managers, builds and test runners.
  /\.(?:npm|yarn|bazel|pnpmfile)(?:rc)?(?:\.ya?ml|\.c?js)?|\.cargo\/config(?:\.toml)?/,
  /conftest\.py|sitecustomize\.py/,
  // Continuous integration.
  /\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/.*|\.circleci\/.*/,
  /\.gitlab-ci\.ya?ml|Jenkinsfile/,
].map(({ source }) => new RegExp(`(?:^|/)(?:${source})$`, "i"));

/** Scripts that npm and similar programs run when they install. */
const INSTALL = /^(?:(?:pre|post)?install|(?:pre|post)?prepare|dependencies|prepublish)$/;

/** True for a file that a tool runs unasked. @param name Path with `/` between names. */
export function isExecuted(name: string, content: FileContent): boolean {
  if (EXECUTED.some((pattern) => pattern.test(name))) return true;
  if (!/(?:^|\/)package\.json$/i.test(name) || typeof content !== "string") return false;
  try {
    return Object.keys(JSON.parse(content).scripts ?? {}).some((script) => INSTALL.test(script));
  } catch {
    // A reader that forgives more may find scripts in it.
    return true;
  }
}
