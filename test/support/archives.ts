// Reads ZIP archives with adm-zip, an independent library.

import AdmZip from 'adm-zip';

export type ZipFile = { readonly name: string; readonly bytes: Buffer; readonly time: readonly number[] };

/** Bit 11 of a file's flags: its name is UTF-8 (APPNOTE.TXT, 4.4.4). */
const utf8Flag = 0x800;

/** The files in their order; refuses an archive with a wrong checksum, or a name that others would not read as UTF-8. */
export function readZip(archive: Buffer): ZipFile[] {
  return new AdmZip(archive).getEntries().map((entry) => {
    const { entryName: name, header } = entry;
    if (/[^\0-\x7f]/.test(name) && (header.flags & utf8Flag) === 0) throw new Error(`${name} is not marked as UTF-8`);
    // The format has no time zone: its times are local times.
    const { time } = header;
    return {
      name,
      time: [
        time.getFullYear(),
        time.getMonth() + 1,
        time.getDate(),
        time.getHours(),
        time.getMinutes(),
        time.getSeconds(),
      ],
      bytes: entry.getData(),
    };
  });
}
