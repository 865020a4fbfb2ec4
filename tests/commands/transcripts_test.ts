/**
 * The transcripts of `testdata/transcripts`: command lines and what they print. `deno task cases`
 * writes anew what they expect; read the difference before you commit it.
 */
import { testTranscripts } from "./_transcript_tests.ts";

testTranscripts("transcripts");
