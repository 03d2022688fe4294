// Encodes a short text of capital letters and digits as a QR code (ISO/IEC 18004): alphanumeric mode, error correction
// level M, versions 1 to 3. That is room for 61 characters; an enrolment code has 19.

/** The rows of the symbol; true is dark. */
export type QrCode = readonly (readonly boolean[])[];

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

type Version = {
  readonly version: number;
  readonly dataBytes: number;
  readonly correctionBytes: number;
  /** Centre of the alignment pattern; version 1 has none. */
  readonly alignment?: number;
};

/** Level M: one block each (table 9). */
const versions: readonly Version[] = [
  { version: 1, dataBytes: 16, correctionBytes: 10 },
  { version: 2, dataBytes: 28, correctionBytes: 16, alignment: 18 },
  { version: 3, dataBytes: 44, correctionBytes: 26, alignment: 22 },
];

/** @param mask a number from 0 to 7; the one with the least penalty unless told */
export function encodeQrCode(text: string, mask?: number): QrCode {
  const bits = encodeText(text);
  const version = versions.find(({ dataBytes }) => bits.length <= dataBytes * 8);
  if (version === undefined) throw new RangeError('the text is too long');
  const data = toCodewords(bits, version.dataBytes);
  const codewords = [...data, ...correctionOf(data, version.correctionBytes)];
  return mask === undefined ? drawBest(version, codewords) : draw(version, codewords, mask);
}

const toBits = (value: number, length: number): boolean[] =>
  Array.from({ length }, (_, at) => ((value >> (length - 1 - at)) & 1) === 1);

/** Mode, number of characters, and two characters in eleven bits (7.4.4). */
function encodeText(text: string): boolean[] {
  const values = Array.from(text, (character) => alphabet.indexOf(character));
  if (values.includes(-1)) throw new RangeError('a character has no place in alphanumeric mode');
  const bits = [...toBits(0b0010, 4), ...toBits(values.length, 9)];
  for (let at = 0; at < values.length; at += 2) {
    const [first = 0, second] = values.slice(at, at + 2);
    bits.push(...(second === undefined ? toBits(first, 6) : toBits(first * alphabet.length + second, 11)));
  }
  return bits;
}

/** With the terminator and the pad codewords (7.4.9, 7.4.10). */
function toCodewords(bits: readonly boolean[], length: number): number[] {
  const ended = [...bits, ...toBits(0, Math.min(4, length * 8 - bits.length))];
  const codewords = Array.from({ length: Math.ceil(ended.length / 8) }, (_, at) =>
    Array.from({ length: 8 }, (__, bit) => ended[at * 8 + bit] === true).reduce((sum, bit) => sum * 2 + Number(bit), 0),
  );
  const used = codewords.length;
  return Array.from({ length }, (_, at) => codewords[at] ?? ((at - used) % 2 === 0 ? 0xec : 0x11));
}

/** In the Galois field of 256 elements with the polynomial 0x11d (7.5.2). */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product >> 7 === 1 ? 0x11d : 0);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** The coefficients of (x - 1)(x - 2)(x - 4)…, without the first, which is 1. */
function generatorOf(degree: number): number[] {
  let coefficients: number[] = Array.from({ length: degree }, (_, at) => (at === degree - 1 ? 1 : 0));
  let root = 1;
  for (let factor = 0; factor < degree; factor += 1) {
    const before = coefficients;
    coefficients = before.map((each, at) => multiply(each, root) ^ (before[at + 1] ?? 0));
    root = multiply(root, 2);
  }
  return coefficients;
}

/** The Reed–Solomon codewords of the data: the remainder of its division by the generator. */
export function correctionOf(data: readonly number[], length: number): number[] {
  const generator = generatorOf(length);
  let remainder = generator.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (remainder[0] ?? 0);
    const shifted = [...remainder.slice(1), 0];
    remainder = shifted.map((each, at) => each ^ multiply(generator[at] ?? 0, factor));
  }
  return remainder;
}

type Matrix = boolean[][];

/** Whether a mask inverts a module (table 10). */
const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** With the mask that has the least penalty (7.8.3). */
function drawBest(version: Version, codewords: readonly number[]): QrCode {
  const drawn = masks.map((_, mask) => draw(version, codewords, mask));
  const penalties = drawn.map(penaltyOf);
  return drawn[penalties.indexOf(Math.min(...penalties))] as QrCode;
}

function draw(version: Version, codewords: readonly number[], mask: number): Matrix {
  const size = 17 + 4 * version.version;
  const modules: Matrix = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const isFunction: Matrix = modules.map((row) => row.map(() => false));
  const set = (row: number, column: number, isDark: boolean): void => {
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    (modules[row] as boolean[])[column] = isDark;
    (isFunction[row] as boolean[])[column] = true;
  };
  drawPatterns(size, version.alignment, set);
  drawFormat(size, mask, set);
  placeCodewords(codewords, { size, mask, modules, isFunction });
  return modules;
}

type SetModule = (row: number, column: number, isDark: boolean) => void;

function drawPatterns(size: number, alignment: number | undefined, set: SetModule): void {
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  // Finder patterns with their separators.
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    drawRings({ row, column, radius: 4 }, set);
  if (alignment !== undefined) drawRings({ row: alignment, column: alignment, radius: 2 }, set);
}

type Rings = { readonly row: number; readonly column: number; readonly radius: number };

/** Squares around a centre: of a finder pattern, rings 2 and 4 are light; of an alignment pattern, ring 1 is. */
function drawRings({ row, column, radius }: Rings, set: SetModule): void {
  const lightRings = radius === 4 ? [2, 4] : [1];
  for (let down = -radius; down <= radius; down += 1)
    for (let right = -radius; right <= radius; right += 1)
      set(row + down, column + right, !lightRings.includes(Math.max(Math.abs(down), Math.abs(right))));
}

/** Level M is 00. Five bits with ten of their own correction, masked so that they are never all light (annex C). */
function formatBits(mask: number): number {
  let remainder = mask << 10;
  for (let bit = 14; bit >= 10; bit -= 1) if (((remainder >> bit) & 1) === 1) remainder ^= 0x537 << (bit - 10);
  return ((mask << 10) | remainder) ^ 0x5412;
}

/** Twice: around the upper left finder pattern, and beside the two others (figure 25). */
function drawFormat(size: number, mask: number, set: SetModule): void {
  const bits = formatBits(mask);
  const isDark = (bit: number): boolean => ((bits >> bit) & 1) === 1;
  for (let bit = 0; bit < 15; bit += 1) {
    if (bit < 6) set(bit, 8, isDark(bit));
    else if (bit < 8) set(bit + 1, 8, isDark(bit));
    else if (bit === 8) set(8, 7, isDark(bit));
    else set(8, 14 - bit, isDark(bit));
    if (bit < 8) set(8, size - 1 - bit, isDark(bit));
    else set(size - 15 + bit, 8, isDark(bit));
  }
  set(size - 8, 8, true);
}

type Placement = {
  readonly size: number;
  readonly mask: number;
  readonly modules: Matrix;
  readonly isFunction: Matrix;
};

/** In columns of two from the right, upwards and downwards in turn; what remains is light (7.7.3). */
function placeCodewords(codewords: readonly number[], { size, mask, modules, isFunction }: Placement): void {
  const bits = codewords.flatMap((codeword) => toBits(codeword, 8));
  const inverts = masks[mask] as (row: number, column: number) => boolean;
  let next = 0;
  // The column of the vertical timing pattern is left out.
  const rights = Array.from({ length: (size - 1) / 2 }, (_, at) => size - 1 - 2 * at).map((right) =>
    right <= 6 ? right - 1 : right,
  );
  for (const [at, right] of rights.entries())
    for (let step = 0; step < size; step += 1) {
      const row = at % 2 === 0 ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (isFunction[row]?.[column] === true) continue;
        (modules[row] as boolean[])[column] = (bits[next] === true) !== inverts(row, column);
        next += 1;
      }
    }
}

const finderLike = [
  [true, false, true, true, true, false, true, false, false, false, false],
  [false, false, false, false, true, false, true, true, true, false, true],
];

/** The four rules of 7.8.3.1. */
function penaltyOf(modules: QrCode): number {
  const size = modules.length;
  const columns = Array.from({ length: size }, (_, column) => modules.map((row) => row[column] === true));
  const lines = [...modules, ...columns];
  return (
    lines.reduce((sum, line) => sum + penaltyOfRuns(line) + penaltyOfFinders(line), 0) +
    penaltyOfBlocks(modules) +
    penaltyOfBalance(modules)
  );
}

function penaltyOfRuns(line: readonly boolean[]): number {
  let penalty = 0;
  let run = 0;
  for (const [at, isDark] of line.entries()) {
    run = at > 0 && isDark === line[at - 1] ? run + 1 : 1;
    if (run === 5) penalty += 3;
    else if (run > 5) penalty += 1;
  }
  return penalty;
}

const penaltyOfFinders = (line: readonly boolean[]): number =>
  line.reduce((sum, _, at) => {
    const found = finderLike.filter((pattern) => pattern.every((isDark, offset) => line[at + offset] === isDark));
    return sum + 40 * found.length;
  }, 0);

const penaltyOfBlocks = (modules: QrCode): number =>
  modules.reduce(
    (sum, row, at) =>
      sum +
      3 *
        row.filter((isDark, column) => {
          const next = modules[at + 1];
          return (
            next !== undefined &&
            column + 1 < row.length &&
            row[column + 1] === isDark &&
            next[column] === isDark &&
            next[column + 1] === isDark
          );
        }).length,
    0,
  );

function penaltyOfBalance(modules: QrCode): number {
  const dark = modules.flat().filter(Boolean).length;
  const percent = (dark * 100) / modules.length ** 2;
  return 10 * Math.floor(Math.abs(percent - 50) / 5);
}
