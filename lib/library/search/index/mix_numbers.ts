/** Mixes numbers. Pure. */

const HIGH = 2 ** 32;

/** Mixes whole numbers to one of 32 bits. Hashing the text of 100,000 rows would take long. */
export function mixNumbers(numbers: readonly number[]): number {
  let mixed = 0;
  for (const number of numbers) mixed = mix(mix(mixed ^ number) ^ (number / HIGH));
  return mixed >>> 0;
}

/** Carries each bit to others, upward and downward. */
function mix(bits: number): number {
  const up = Math.imul(bits, 0x9e3779b1);
  return up ^ (up >>> 15);
}
