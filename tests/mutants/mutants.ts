/**
 * The safeties that the tests must not do without. Each stands for something that went wrong for
 * users of some agent.
 */
import type { Mutant } from "./mutant.ts";

const WRITING: readonly Mutant[] = [
  {
    name: "a torn tail is not sealed before the next append",
    file: "lib/core/log/log_writer.ts",
    from: "if (size > 0 && lastByte(file, size) !== LF) writeWhole(file, NEWLINE);",
    to: "if (size < 0 && lastByte(file, size) !== LF) writeWhole(file, NEWLINE);",
    tests: ["tests/core/log/log_writer_test.ts", "tests/torture/reopen_test.ts"],
  },
  {
    name: "a short write is taken for a whole one",
    file: "lib/core/log/write_whole.ts",
    from: "while (written < bytes.length) {",
    to: "while (written === 0 && bytes.length > 0) {",
    tests: ["tests/core/log/write_whole_test.ts", "tests/torture/write_fault_test.ts"],
  },
  {
    name: "an interrupted write is a failure",
    file: "lib/core/log/write_whole.ts",
    from:
      "onWritten?.(written);\n    } catch (error) {\n      if (!isInterrupted(error)) throw error;",
    to: "onWritten?.(written);\n    } catch (error) {\n      throw error;",
    tests: ["tests/core/log/write_whole_test.ts", "tests/torture/write_fault_test.ts"],
  },
  {
    name: "a boundary is acknowledged without a sync",
    file: "lib/core/event/policy.ts",
    from: "return POLICY[kind].synced;",
    to: "return POLICY[kind].synced && kind === undefined;",
    tests: ["tests/core/event", "tests/core/store/scenes_test.ts"],
  },
  {
    name: "a failed sync is believed the next time",
    file: "lib/core/log/log_writer.ts",
    from: "this.#unsynced ??= { reason: error };",
    to: "",
    tests: ["tests/core/log/log_writer_test.ts", "tests/torture/write_fault_test.ts"],
  },
  {
    name: "two writers may hold the lock of one session",
    file: "lib/core/log/lock_file.ts",
    from: "if (file.tryLockSync(true)) return heldLock(file, path);",
    to: "if (file.tryLockSync(true) || true) return heldLock(file, path);",
    tests: ["tests/core/log/session_lock_test.ts", "tests/torture/writers_test.ts"],
  },
  {
    name: "a reader's probe takes the writer's lock",
    file: "lib/core/log/lock_file.ts",
    from: 'if (free) file.unlockSync();\n    return free ? "free" : "locked";',
    to: 'return !free || file.tryLockSync(true) && false ? "locked" : "free";',
    tests: ["tests/core/log/session_lock_test.ts", "tests/core/store"],
  },
  {
    name: "a link in the place of a file of the store is followed",
    file: "lib/core/log/own_file.ts",
    from: "if (!seen.isFile || (seen.nlink !== null && seen.nlink > 1)) {",
    to: "if (seen.isDirectory) {",
    tests: ["tests/core/log/own_file_test.ts"],
  },
  {
    name: "half a surrogate is written as it is",
    file: "lib/core/event/encode.ts",
    from: '(escape) => escape === "\\\\\\\\" ? escape : "\\ufffd",',
    to: "(escape) => escape,",
    tests: ["tests/core/event"],
  },
  {
    name: "folders are made for everybody to read",
    file: "lib/core/store/create_log.ts",
    from: "mkdirSync(path, { mode: 0o700 });",
    to: "mkdirSync(path, { mode: 0o755 });",
    tests: ["tests/core/store", "tests/torture/modes_test.ts"],
  },
];

const READING: readonly Mutant[] = [
  {
    name: "checksums are not compared",
    file: "lib/core/event/checksum.ts",
    from:
      'return crc32(bytes.subarray(start, end - CHECKSUM_BYTES)) === stated ? "verified" : "mismatch";',
    to: 'return "verified";',
    tests: ["tests/core/event", "tests/torture/bit_flip_test.ts"],
  },
  {
    name: "salvage takes events with a checksum that is wrong",
    file: "lib/core/log/line_parser.ts",
    from: 'const takes = last ? checksum !== "mismatch" : clean && checksum === "verified";',
    to: "const takes = last || clean;",
    tests: ["tests/core/log/line_parser_test.ts", "tests/torture/block_fault_test.ts"],
  },
  {
    name: "salvage takes events again that were read before",
    file: "lib/core/log/line_parser.ts",
    from: 'return typeof event === "object" && event.seq > after ? event : undefined;',
    to: 'return typeof event === "object" ? event : undefined;',
    tests: ["tests/core/log/line_parser_test.ts", "tests/torture/block_fault_test.ts"],
  },
  {
    name: "an offset does not count the line feed",
    file: "lib/core/log/line_splitter.ts",
    from: "length: size + (terminated ? 1 : 0),",
    to: "length: size,",
    tests: ["tests/core/log"],
  },
  {
    name: "a line over the limit is held in memory",
    file: "lib/core/log/line_splitter.ts",
    from: "if (size > state.limit) {\n    state.held = NO_BYTES;\n  } else {",
    to: "{",
    tests: ["tests/core/log"],
  },
  {
    name: "opening a pipe waits for its writer",
    file: "lib/core/file/regular_file.ts",
    from: "if (!seen.isFile) throw",
    to: "if (seen.isDirectory) throw",
    tests: ["tests/core/file", "tests/core/log/read_events_test.ts"],
  },
  {
    name: "a compaction that names no event counts",
    file: "lib/core/projection/conversation/conversation.ts",
    from:
      "return refuse(\n        `first_kept_seq of this compaction is ${first_kept_seq}, but no event before the compaction has this number`,\n      );",
    to: "",
    tests: ["tests/core/projection"],
  },
  {
    name: "a call that never ended gets no result",
    file: "lib/core/projection/conversation/paired_messages.ts",
    from: "slots.map(({ call, result }) => result ?? unsettled(call, unanswered))",
    to: "slots.flatMap(({ result }) => result ?? [])",
    tests: ["tests/core/projection"],
  },
  {
    name: "the model gets what only the user saw",
    file: "lib/core/event/audience.ts",
    from: "if (whose !== undefined && whose !== audience) continue;",
    to: 'if (whose === "model" && audience === "user") continue;',
    tests: ["tests/core/event", "tests/core/projection"],
  },
  {
    name: "control characters reach the terminal",
    file: "lib/text/render/sanitize.ts",
    from: "if (well_formed && !DOUBTFUL.test(text)) return text;",
    to: "if (well_formed) return text;",
    tests: ["tests/text/render"],
  },
  {
    name: "a mark counts though the log was renamed after it",
    file: "lib/core/store/marks.ts",
    from: "return Number.isNaN(at) || Date.parse(time) >= at;",
    to: "return true;",
    tests: ["tests/core/store"],
  },
];

const FINDING: readonly Mutant[] = [
  {
    name: "a scan passes over texts in escapes",
    file: "lib/library/search/prefilter/prefilter.ts",
    from: "if (unit >= 0 && units.has(unit)) return at;",
    to: "",
    tests: ["tests/library/search"],
  },
  {
    name: "a scan stops at a damaged line",
    file: "lib/library/search/scan/scan_session.ts",
    from: "if (damaged !== undefined) return await readFrom(path, damaged, onEvent, signal);",
    to: "if (damaged !== undefined) return;",
    tests: ["tests/library/search"],
  },
  {
    name: "a search stops though a session may have a part of a word",
    file: "lib/library/search/search_task.ts",
    from: "may_be_whole = true,",
    to: "may_be_whole = false,",
    tests: ["tests/library/search"],
  },
  {
    name: "a damaged index is believed",
    file: "lib/library/search/index/index_reader.ts",
    from: "if (!(block instanceof Uint8Array) || sum !== sumOf([id, crc32(block)])) {",
    to: "if (!(block instanceof Uint8Array)) {",
    tests: ["tests/library/search"],
  },
  {
    name: "a file of the same size is taken for unchanged",
    file: "lib/library/search/index/source_stamp.ts",
    from: "return mixNumbers([ino, mtime, ctime]);",
    to: "return 0;",
    tests: ["tests/library/search"],
  },
  {
    name: "what a thread leaves unsearched nobody searches",
    file: "lib/library/search/scan/scan.ts",
    from:
      "results.push(await thread ?? await rescan(task, items, board.takenBy(MAIN + 1 + index)));",
    to:
      "results.push(await thread ?? { hits: [], total: 0, stopped: false, scanned_bytes: 0, unread: [], counted: [] });",
    tests: ["tests/library/search"],
  },
  {
    name: "what a thread leaves unindexed nobody indexes",
    file: "lib/library/search/index/index_update.ts",
    from: "return is_done ? [] : board.takenBy(worker);",
    to: "return [];",
    tests: ["tests/library/search/index"],
  },
  {
    name: "a phrase is looked for in one string alone",
    file: "lib/library/search/prefilter/byte_phrase.ts",
    from: "return isJoined(search, at, index) ? OPEN : undefined;",
    to: "return undefined;",
    tests: ["tests/library/search"],
  },
];

const MANAGING: readonly Mutant[] = [
  {
    name: "a fork goes beyond the event that was named",
    file: "lib/core/store/copy/fork_session.ts",
    from: "const wanted = events.slice(0, Math.max(0, left)).filter(isWhole);",
    to: "const wanted = events.filter(isWhole);",
    tests: ["tests/core/store/copy"],
  },
  {
    name: "a session that somebody writes is moved to the trash",
    file: "lib/core/store/trash/trash.ts",
    from: 'const lock = await lockSession(folder, holder, "remove session");',
    to: "const lock = { release(): void {} };",
    tests: ["tests/core/store/local_store_test.ts"],
  },
  {
    name: "the trash takes the place of what lies in it",
    file: "lib/core/store/trash/trash.ts",
    from: "const to = freePlace(join(namespace, basename(directory)));",
    to: "const to = join(namespace, basename(directory));",
    tests: ["tests/core/store/trash"],
  },
  {
    name: "prune moves a session that was gone on with meanwhile",
    file: "lib/core/store/trash/prune_sessions.ts",
    from: 'if (lookAt(path).size !== row.bytes) return "active";',
    to: "",
    tests: ["tests/core/store/trash"],
  },
  {
    name: "a copied source is not compared with what was read",
    file: "lib/core/store/import/source_copy.ts",
    from:
      'if (await hashFile(copy) !== sha256) throw changed("the copy differs from the original", path);',
    to: "",
    tests: ["tests/torture/import_test.ts"],
  },
  {
    name: "a backup that somebody continued passes for an untouched one",
    file: "lib/core/store/import/was_continued.ts",
    from: "if (more < 0 || more > MOST_BYTES) return true;",
    to: "return false;",
    tests: ["tests/core/store/import"],
  },
  {
    name: "a backed-up log is not compared with its source",
    file: "lib/core/store/import/source_copy.ts",
    from: "if (read.hex() !== sha256) {",
    to: "if (read.hex() === undefined) {",
    tests: ["tests/core/store/import"],
  },
];

const SHARING: readonly Mutant[] = [
  {
    name: "a text is written into a page as it is",
    file: "lib/text/render/html_document/html.ts",
    from: "if (!SPECIAL.test(clean)) return clean;",
    to: "return clean;",
    tests: ["tests/text/render"],
  },
  {
    name: "a secret that was named once stays where it stands bare",
    file: "lib/text/redaction/redactor.ts",
    from: "this.#vault.spreads ? look(",
    to: "text === undefined ? look(",
    tests: ["tests/text/redaction"],
  },
  {
    name: "an export forgets what it learnt of records that it does not show",
    file: "commands/export.ts",
    from: "(show) => surveyed(read(show, kinds), summary, findings),",
    to: '(show) => surveyed(read(show, new Set(["user_message"])), summary, findings),',
    tests: ["tests/commands/export_test.ts"],
  },
  {
    name: "secrets are looked for in texts as they are alone, not in what they encode",
    file: "lib/text/redaction/layered_search.ts",
    from: "addLayers(text, runs, undefined, DEEPEST, layers);",
    to: "",
    tests: ["tests/text/redaction"],
  },
  {
    name: "what cannot be checked for secrets is passed on",
    file: "lib/text/redaction/redactor.ts",
    from: "assertForm(event);\n    let changed",
    to: "let changed",
    tests: ["tests/text/redaction"],
  },
];

const CHATTING: readonly Mutant[] = [
  {
    name: "what was shown of an interrupted answer is not kept",
    file: "lib/features/chat/turn.ts",
    from:
      'await keep({ kind: "assistant_interrupted", payload: { content, message_id, reason } });',
    to: "",
    tests: ["tests/features/chat"],
  },
  {
    name: "a failed turn leaves no word in the log",
    file: "lib/features/chat/turn.ts",
    from: 'await keep({ kind: "turn_failed", payload: { reason: "error", message } });',
    to: "",
    tests: ["tests/features/chat"],
  },
  {
    name: "a tool is called that the user refused",
    file: "lib/features/chat/calls.ts",
    from: "return parts.signal.aborted ? INTERRUPTED : REFUSED;",
    to: "return parts.signal.aborted ? INTERRUPTED : undefined;",
    tests: ["tests/features/chat"],
  },
  {
    name: "a model writes git's own files unasked",
    file: "lib/features/chat/tools/file_tool.ts",
    from: "if (!only_reads && isGitsOwn(path, cwd)) {",
    to: "if (!only_reads && isGitsOwn(path, cwd) && leavesDirectory(path, cwd)) {",
    tests: ["tests/features/chat"],
  },
  {
    name: "events that could not be saved are forgotten",
    file: "lib/features/chat/recorder.ts",
    from: "this.#waiting.push(event);",
    to: "",
    tests: ["tests/features/chat"],
  },
  {
    name: "a session with a gap is closed as if it were whole",
    file: "lib/features/chat/recorder.ts",
    from: "if (lost === 0 && this.path !== undefined)",
    to: "if (this.path !== undefined)",
    tests: ["tests/features/chat"],
  },
];

/** Sessions that leave the machine, or that others send. */
const TEAMS: readonly Mutant[] = [
  {
    name: "bytes of a store are written without a look at their hash",
    file: "lib/features/team/objects/part_codec.ts",
    from: "plain?.length === len && partHash(plain) === sha ? plain : undefined",
    to: "plain?.length === len && partHash(plain) !== '' ? plain : undefined",
    tests: ["tests/features/team/push/push_test.ts"],
  },
  {
    name: "a copy with a gap is taken",
    file: "lib/features/team/objects/copy_parts.ts",
    from: "const follows = off === end;",
    to: "const follows = off >= 0;",
    tests: [
      "tests/features/team/objects/copy_parts_test.ts",
      "tests/features/team/push/push_test.ts",
    ],
  },
  {
    name: "statistics count what members share",
    file: "lib/library/query/find_candidates.ts",
    from: "if (isShared(session) && !members) continue;",
    to: "if (isShared(session) && members === null) continue;",
    tests: ["tests/commands/transcripts_test.ts"],
  },
  {
    name: "a server answers without end",
    file: "lib/features/team/postgres/answer.ts",
    from: "if (this.#left[what] < 0) this.#stop",
    to: "if (this.#left[what] < -Infinity) this.#stop",
    tests: ["tests/features/team/postgres/hostile_server_test.ts"],
  },
  {
    name: "a member writes under another member's name",
    file: "lib/features/team/postgres/object_table.ts",
    from: "<> reprise.key_name(session_user)",
    to: "is null",
    tests: ["tests/features/team/postgres"],
  },
  {
    name: "a function in the public schema stands in for PostgreSQL's",
    file: "lib/features/team/postgres/database_store.ts",
    from: "unnest($1::text[], $2::int[])",
    to: "unnest($1, $2::int[])",
    tests: ["tests/features/team/postgres"],
  },
  {
    name: "a copy leaves with its secrets",
    file: "lib/features/team/push/copy_of_session.ts",
    from: "const redacted = redactor.event(untitled(handle.agent, event));",
    to: "const redacted = untitled(handle.agent, event);",
    tests: ["tests/features/team/copies_test.ts"],
  },
  {
    name: "an identity that others can read is used",
    file: "lib/text/seal/identity_file.ts",
    from: 'othersMay("anything", mode)',
    to: 'othersMay("anything", mode) === undefined',
    tests: ["tests/text/seal"],
  },
];

/** What agents and editors get. */
const SERVING: readonly Mutant[] = [
  {
    name: "a session of another project is served",
    file: "lib/frontends/mcp/served_sessions.ts",
    from: "if (all) return true;",
    to: "if (all || !all) return true;",
    tests: ["tests/frontends/mcp"],
  },
  {
    name: "secrets are served",
    file: "lib/frontends/mcp/quotation.ts",
    from: "value: (value) => redacts ? withoutSecrets(value) : value,",
    to: "value: (value) => value,",
    tests: ["tests/frontends/mcp"],
  },
  {
    name: "an agent finds its own search",
    file: "lib/frontends/mcp/own_calls.ts",
    from: "if (seqs.has(seq)) continue;",
    to: "",
    tests: ["tests/frontends/mcp"],
  },
  {
    name: "a cursor of another query is taken",
    file: "lib/text/render/page/cursor.ts",
    from: "if (stated !== digest(query)) {",
    to: "if (stated === given) {",
    tests: ["tests/frontends/mcp", "tests/text/render/page"],
  },
  {
    name: "an editor opens a session by a piece of its id",
    file: "lib/frontends/acp/listed_sessions.ts",
    from: "if (sessionRef(session.session) !== id) throw notFound(id);",
    to: "",
    tests: ["tests/frontends/acp", "tests/commands/acp_test.ts"],
  },
  {
    name: "a change that failed wrote a line",
    file: "lib/library/touches/edit_collector.ts",
    from: 'if (status === "ok") this.#settle(event, call_id, askedChange(input));',
    to: "this.#settle(event, call_id, askedChange(input));",
    tests: ["tests/features/blame"],
  },
  {
    name: "what two sessions wrote is proven",
    file: "lib/features/blame/attribute_lines.ts",
    from: "return contested.has(edit)\n      ? {",
    to: "return contested.has(edit) && Date.now() < 0\n      ? {",
    tests: ["tests/features/blame"],
  },
];

/** All of them. */
export const MUTANTS: readonly Mutant[] = [
  ...WRITING,
  ...READING,
  ...FINDING,
  ...MANAGING,
  ...SHARING,
  ...CHATTING,
  ...TEAMS,
  ...SERVING,
  {
    name: "a call that never began is said not to have finished",
    file: "lib/core/projection/conversation/built_messages.ts",
    from: "(began ? UNSETTLED_OUTPUT : NOT_RUN_OUTPUT)",
    to: "(began || NOT_RUN_OUTPUT !== undefined ? UNSETTLED_OUTPUT : NOT_RUN_OUTPUT)",
    tests: ["tests/core/projection/conversation/responses_test.ts"],
  },
  {
    name: "a cut inside a response loses the response",
    file: "lib/core/projection/conversation/conversation.ts",
    from: "return lineOfResponse(state.events, index);",
    to: "return index;",
    tests: [
      "tests/testdata_test.ts",
      "tests/core/projection",
      "tests/core/store/resume_point_test.ts",
    ],
  },
  {
    name: "an event that has no effect is acknowledged",
    file: "lib/core/store/append_rules.ts",
    from: 'if (event.kind === "compaction_applied") checkCompaction(event, event.payload, seq);',
    to: "",
    tests: ["tests/core/store/scenes_test.ts"],
  },
  {
    name: "of several events the first are kept where one is refused",
    file: "lib/core/store/session.ts",
    from: "const settle = this.#calls.check(events, from);",
    to: "const settle = (_: number): void => {};",
    tests: ["tests/core/store/scenes_test.ts"],
  },
  {
    name: "leaving a block counts as success",
    file: "lib/core/store/session.ts",
    from: "    await this.release();",
    to: "    await this.finish();",
    tests: ["tests/core/store/session_test.ts"],
  },
  {
    name: "a hook quotes sessions by their paths as they are written",
    file: "lib/frontends/recall/recall_gate.ts",
    from: "const real = realPathSync(path);",
    to: "const real = path;",
    tests: ["tests/frontends/recall"],
  },
  {
    name: "a hook quotes sessions from where a project's variables lead",
    file: "lib/frontends/recall/recall_gate.ts",
    from: "return leads ? undefined : value;",
    to: "return value;",
    tests: ["tests/frontends/recall"],
  },
  {
    name: "a hook quotes sessions that were handed over",
    file: "lib/frontends/recall/find_session.ts",
    from: "return new Set(records.map(({ agent, id }) => `${agent}:${id}`));",
    to: "return new Set();",
    tests: ["tests/frontends/recall"],
  },
];
