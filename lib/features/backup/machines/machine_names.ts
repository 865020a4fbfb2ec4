/** Names the user's machines so that no two of them have the same name. */
import { machineWord } from "../../../core/store/ref.ts";

export interface MachineName {
  label: string;
  /** The name as a suffix of a session id in a reference. */
  word: string;
}

/** Number of characters of a device's id that distinguish machines with the same name. */
const TOLD_APART = 4;

/** Names of machines by the ids of their devices. Equal names get a part of the id. */
export class MachineNames {
  readonly #labels: ReadonlyMap<string, string>;

  /** @param labels Name of each machine, also of this one, by the id of its device. */
  constructor(labels: ReadonlyMap<string, string>) {
    this.#labels = labels;
  }

  of(device: string): MachineName {
    const label = this.#labels.get(device) || device.slice(0, 2 * TOLD_APART);
    const word = machineWord(label);
    const is_shared = [...this.#labels].some(([other, name]) =>
      other !== device && machineWord(name) === word
    );
    if (!is_shared) return { label, word };
    const part = device.slice(0, TOLD_APART);
    return { label: `${label}-${part}`, word: `${word}-${part}` };
  }
}
