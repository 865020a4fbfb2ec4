/** Tells which terminal a process belongs to. */
import { fieldOfPs, statFields } from "./process_state.ts";
import { operatingSystem } from "./runtime.ts";

const TERMINAL_FIELD = 7 - 3;
/** Numbers of terminal drivers. Eight drivers have 256 pseudo-terminals each. */
const [FIRST_PSEUDO, LAST_PSEUDO, CONSOLE] = [136, 143, 4];

export async function terminalOf(pid: number): Promise<string | undefined> {
  if (operatingSystem === "windows") return undefined;
  if (operatingSystem === "linux") {
    return deviceName(Number(statFields(pid)?.[TERMINAL_FIELD] ?? 0));
  }
  const name = await fieldOfPs(pid, "tty");
  return name === undefined || name.startsWith("?") ? undefined : `/dev/${name}`;
}

/** Returns the path of a terminal from its device number, whose bits 8 to 19 name the driver. */
function deviceName(number: number): string | undefined {
  const driver = (number >> 8) & 0xfff;
  const device = (number & 0xff) | ((number >> 12) & 0xfff00);
  if (driver === CONSOLE) return `/dev/tty${device}`;
  const is_pseudo = driver >= FIRST_PSEUDO && driver <= LAST_PSEUDO;
  return is_pseudo ? `/dev/pts/${(driver - FIRST_PSEUDO) * 256 + device}` : undefined;
}
