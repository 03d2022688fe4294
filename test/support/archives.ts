// ZIP archives as Python's zipfile reads them.

import { execFileSync } from 'node:child_process';

export type ZipFile = { readonly name: string; readonly bytes: Buffer; readonly time: readonly number[] };

const script = `
import base64, io, json, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert archive.testzip() is None
json.dump([[each.filename, list(each.date_time), base64.b64encode(archive.read(each)).decode()]
  for each in archive.infolist()], sys.stdout)
`;

/** The files in their order; refuses an archive with a wrong checksum. */
export function readZip(archive: Buffer): ZipFile[] {
  const output = execFileSync('python3', ['-c', script], { input: archive, maxBuffer: 2 ** 30 });
  const files = JSON.parse(output.toString('utf8')) as [string, number[], string][];
  return files.map(([name, time, content]) => ({ name, time, bytes: Buffer.from(content, 'base64') }));
}
