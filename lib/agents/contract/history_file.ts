/** The name of the file below a root in which an agent keeps the prompts of all sessions. */
export const HISTORY_FILE = "history.jsonl";
