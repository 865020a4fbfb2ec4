/** Writes a whole buffer: in one write, unless the system cuts it short or interrupts it. */
import type { WritableFile } from "../platform/file_system.ts";
import { isInterrupted } from "../platform/system_error.ts";

/**
 * Writes all bytes, or throws the system's error. An error may leave a part of them in the file.
 *
 * @param onWritten Gets the number of bytes written so far, after each write of the system.
 */
export function writeWhole(
  file: WritableFile,
  bytes: Uint8Array,
  onWritten?: (count: number) => void,
): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      const count = file.writeSync(written === 0 ? bytes : bytes.subarray(written));
      if (count === 0) throw new Error("the write to disk failed: 0 bytes were written");
      written += count;
      onWritten?.(written);
    } catch (error) {
      if (!isInterrupted(error)) throw error;
    }
  }
}

export async function sendWhole(
  stream: { write(bytes: Uint8Array): Promise<number> },
  bytes: Uint8Array,
): Promise<void> {
  let sent = 0;
  while (sent < bytes.length) {
    try {
      const count = await stream.write(bytes.subarray(sent));
      if (count === 0) throw new Error("the write to disk failed: 0 bytes were written");
      sent += count;
    } catch (error) {
      if (!isInterrupted(error)) throw error;
    }
  }
}
