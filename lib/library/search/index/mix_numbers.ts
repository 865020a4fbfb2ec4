/** Hashes lists of numbers. Pure. */

const HIGH = 2 ** 32;

/** Returns a 32-bit hash of numbers. Hashing them as text would be slow for 100,000 rows. */
export function mixNumbers(numbers: readonly number[]): number {
  let mixed = 0;
  for (const number of numbers) mixed = mix(mix(mixed ^ number) ^ (number / HIGH));
  return mixed >>> 0;
}

function mix(bits: number): number {
  const up = Math.imul(bits, 0x9e3779b1);
  return up ^ (up >>> 15);
}
