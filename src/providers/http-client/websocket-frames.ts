// Takes the frames of a WebSocket server apart (RFC 6455, 5.2), and makes those that a client sends. Node's own WebSocket
// has neither a bound on the size of a message nor a way to check the address that it connects to.

import { randomBytes } from 'node:crypto';

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export type Frame = { readonly opcode: number; readonly isFinal: boolean; readonly payload: Buffer };

/** What the server sent is no frame that it may send, or is larger than wanted. */
export class FrameError extends Error {
  override name = 'FrameError';
}

/** The frames that are complete, and the bytes after them. Throws FrameError. */
export function parseFrames(
  bytes: Buffer,
  maxPayloadBytes: number,
): { readonly frames: readonly Frame[]; readonly rest: Buffer } {
  const frames: Frame[] = [];
  let rest = bytes;
  for (;;) {
    const parsed = parseFrame(rest, maxPayloadBytes);
    if (parsed === undefined) return { frames, rest };
    frames.push(parsed.frame);
    rest = rest.subarray(parsed.bytes);
  }
}

function parseFrame(bytes: Buffer, maxPayloadBytes: number): { frame: Frame; bytes: number } | undefined {
  if (bytes.length < 2) return undefined;
  const first = bytes.readUInt8(0);
  const second = bytes.readUInt8(1);
  if ((first & 0x70) !== 0) throw new FrameError('an extension that was not agreed on');
  if ((second & 0x80) !== 0) throw new FrameError('a frame of a server that is masked');
  const lengthBytes = second < 126 ? 0 : second === 126 ? 2 : 8;
  const headBytes = 2 + lengthBytes;
  if (bytes.length < headBytes) return undefined;
  const length = lengthBytes === 0 ? second : lengthBytes === 2 ? bytes.readUInt16BE(2) : bytes.readBigUInt64BE(2);
  if (length > maxPayloadBytes) throw new FrameError('a frame that is too large');
  const end = headBytes + Number(length);
  if (bytes.length < end) return undefined;
  const frame = { opcode: first & 0x0f, isFinal: (first & 0x80) !== 0, payload: bytes.subarray(headBytes, end) };
  return { frame, bytes: end };
}

/** A short frame of a client, which has to be masked. */
export function formatClientFrame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const short = payload.subarray(0, 125);
  const masked = Buffer.from(short.map((byte, at) => byte ^ mask.readUInt8(at % 4)));
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | short.length]), mask, masked]);
}
