/** File name of a session's log in a store. */
export const LOG_FILE = "transcript_events.jsonl";
