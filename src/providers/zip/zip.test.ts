// Archives, read by another package.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readZip } from '../../../test/support/archives.ts';
import { streamZip, type StreamedFile } from './zip.ts';

const at = Date.UTC(2026, 2, 29, 2, 30, 44);

function entry(name: string, chunks: Iterable<string>): StreamedFile {
  return {
    name,
    content: async function* () {
      yield* chunks;
    },
  };
}

const lines = (count: number): string[] =>
  Array.from({ length: count }, (_, line) => `line ${line} of Tørring ${'x'.repeat(line % 300)}\r\n`);
const files = (): StreamedFile[] => [
  entry('large.csv', lines(5000)),
  entry('empty.csv', []),
  entry('Tørring ✓.txt', ['x', '', 'y']),
];

async function bytesOf(archive: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('an archive has its files complete, in their order, with their time in UTC', async () => {
  const read = readZip(await bytesOf(streamZip(files(), at)));
  assert.deepEqual(
    read.map(({ name, bytes, time }) => [name, bytes.toString('utf8'), time]),
    [
      ['large.csv', lines(5000).join(''), [2026, 3, 29, 2, 30, 44]],
      ['empty.csv', '', [2026, 3, 29, 2, 30, 44]],
      ['Tørring ✓.txt', 'xy', [2026, 3, 29, 2, 30, 44]],
    ],
  );
});

test('an archive without files is valid', async () => {
  assert.deepEqual(readZip(await bytesOf(streamZip([], at))), []);
});

test('[settlements.07] the same files with the same time give the same bytes, at any moment and in any time zone', async () => {
  const { TZ: zone } = process.env;
  const first = await bytesOf(streamZip(files(), at));
  try {
    // In the first of these time zones the clock never showed the time of the files.
    for (const other of ['Europe/Copenhagen', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'America/St_Johns']) {
      process.env['TZ'] = other;
      assert.ok(first.equals(await bytesOf(streamZip(files(), at))), other);
    }
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});

test('[general.33] an error in any file is the error of the archive', async () => {
  const failure = new Error('storage is gone');
  for (const sound of [0, 1, 4000]) {
    const failing: StreamedFile = {
      name: 'b.csv',
      content: async function* () {
        yield* lines(sound);
        throw failure;
      },
    };
    for (const before of [[], [entry('a.csv', ['x'])]])
      await assert.rejects(bytesOf(streamZip([...before, failing, entry('c.csv', ['x'])], at)), failure);
  }
});

test('when the reader stops, the current file is closed, and no other is begun', async () => {
  const ended = Promise.withResolvers<void>();
  let begun = 0;
  const endless = (): StreamedFile => ({
    name: `${begun}.csv`,
    content: async function* () {
      begun += 1;
      try {
        for (let line = 0; ; line += 1) yield `${line} ${Math.random()}\r\n`;
      } finally {
        ended.resolve();
      }
    },
  });
  for await (const chunk of streamZip([endless(), endless()], at)) if (chunk.length > 100) break;
  await ended.promise;
  assert.equal(begun, 1);
});

test('a file is created no faster than it is read', async () => {
  let made = 0;
  const file: StreamedFile = {
    name: 'a.csv',
    content: async function* () {
      for (;;) {
        made += 1;
        yield Array.from({ length: 2000 }, () => Math.random()).join();
      }
    },
  };
  const archive = streamZip([file], at);
  await archive.next();
  await archive.next();
  await pause(300);
  const held = made;
  assert.ok(held < 40, `${held} chunks`);
  await pause(200);
  assert.equal(made, held);
  await archive.return(undefined);
});
