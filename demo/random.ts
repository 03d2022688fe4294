// Generates random numbers from a seed, so that demo data are the same on every machine.

export type Random = {
  /** In [0, 1). */
  next(): number;
  /** A whole number, both ends included. */
  int(from: number, through: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
};

/** Every seed gives a different sequence. */
export function createSeededRandom(seed: string): Random {
  const next = mulberry32(fnv1a(seed));
  const int = (from: number, through: number): number => from + Math.floor(next() * (through - from + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => {
      if (items.length === 0) throw new RangeError('there is nothing to pick from');
      return items[int(0, items.length - 1)] as (typeof items)[number];
    },
  };
}

// http://www.isthe.com/chongo/tech/comp/fnv/
function fnv1a(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return hash >>> 0;
}

// Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for a few million draws.
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
