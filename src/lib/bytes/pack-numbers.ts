// Packs unsigned numbers into bytes, for the headers and records of binary files.

/** Numbers of so many bytes in sequence, little-endian. */
const packNumbersOf =
  (bytes: 1 | 2 | 4) =>
  (...values: readonly number[]): Buffer => {
    const buffer = Buffer.alloc(values.length * bytes);
    for (const [index, value] of values.entries()) buffer.writeUIntLE(value, index * bytes, bytes);
    return buffer;
  };

export const [u8, u16, u32] = [packNumbersOf(1), packNumbersOf(2), packNumbersOf(4)];
