// Writes DER (ITU-T X.690), for certificates and signatures that tests make.

export function writeDer(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const digits = body.length.toString(16);
  const length = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  const header = body.length < 0x80 ? [tag, body.length] : [tag, 0x80 | length.length, ...length];
  return Buffer.concat([Buffer.from(header), body]);
}

export const sequence = (...content: readonly Buffer[]): Buffer => writeDer(0x30, ...content);
export const set = (...content: readonly Buffer[]): Buffer => writeDer(0x31, ...content);
export const context0 = (...content: readonly Buffer[]): Buffer => writeDer(0xa0, ...content);
export const octets = (bytes: Buffer): Buffer => writeDer(0x04, bytes);
export const utf8 = (text: string): Buffer => writeDer(0x0c, Buffer.from(text));
export const nothing = writeDer(0x05);

/** Not negative. */
export function integer(value: number | Buffer): Buffer {
  const digits = typeof value === 'number' ? value.toString(16) : value.toString('hex');
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return writeDer(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((value) => {
    const digits = [value % 128];
    for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift(128 + (left % 128));
    return digits;
  });
  return writeDer(0x06, Buffer.from(bytes));
}

/** UTCTime. */
export const utcTime = (date: Date): Buffer =>
  writeDer(
    0x17,
    Buffer.from(
      date
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2),
    ),
  );
