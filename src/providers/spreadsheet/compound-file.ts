// The file that a workbook's stream lies in: sectors of 512 bytes, chained by a table ([MS-CFB], version 3).

const sectorBytes = 512;
/** A shorter stream would have to lie elsewhere in the file. */
const leastStreamBytes = 4096;
const idsInSector = sectorBytes / 4;
const tableIdsInHeader = 109;
const tableIdsInSector = idsInSector - 1;

const endOfChain = 0xff_ff_ff_fe;
const tableSector = 0xff_ff_ff_fd;
const tableListSector = 0xff_ff_ff_fc;
const nothing = 0xff_ff_ff_ff;

type Layout = {
  readonly stream: number;
  readonly directory: number;
  readonly firstTable: number;
  readonly tables: number;
  readonly firstList: number;
  readonly lists: number;
};

/** A file with one stream in it, in pieces. */
export function compoundFile(name: string, pieces: readonly Uint8Array[]): Uint8Array[] {
  const written = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const padded = Math.max(leastStreamBytes, Math.ceil(written / sectorBytes) * sectorBytes);
  const layout = layoutOf(padded / sectorBytes);
  const padding = Buffer.alloc(padded - written);
  return [header(layout), ...pieces, padding, directory(name, padded), table(layout), tableList(layout)];
}

// Sectors in this order: the stream, the directory, the table of chains, the list of the table's further sectors. The
// table has an entry for every sector, its own too.
function layoutOf(stream: number): Layout {
  let tables = 0;
  let lists = 0;
  for (;;) {
    const needed = Math.ceil((stream + 1 + tables + lists) / idsInSector);
    const listsNeeded = Math.max(0, Math.ceil((needed - tableIdsInHeader) / tableIdsInSector));
    if (needed === tables && listsNeeded === lists) break;
    tables = needed;
    lists = listsNeeded;
  }
  const firstTable = stream + 1;
  return { stream, directory: stream, firstTable, tables, firstList: firstTable + tables, lists };
}

function header({ directory: at, firstTable, tables, firstList, lists }: Layout): Buffer {
  const bytes = Buffer.alloc(sectorBytes);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  bytes.writeUInt16LE(0x3e, 24);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(Math.log2(sectorBytes), 30);
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(tables, 44);
  bytes.writeUInt32LE(at, 48);
  bytes.writeUInt32LE(leastStreamBytes, 56);
  bytes.writeUInt32LE(endOfChain, 60);
  bytes.writeUInt32LE(lists === 0 ? endOfChain : firstList, 68);
  bytes.writeUInt32LE(lists, 72);
  for (let entry = 0; entry < tableIdsInHeader; entry += 1)
    bytes.writeUInt32LE(entry < tables ? firstTable + entry : nothing, 76 + 4 * entry);
  return bytes;
}

const entryBytes = 128;
const kinds = { root: 5, stream: 2 } as const;

function directory(name: string, streamBytes: number): Buffer {
  const bytes = Buffer.alloc(sectorBytes);
  const entry = (at: number, kind: number, text: string, child: number, start: number, size: number): void => {
    const from = at * entryBytes;
    bytes.write(text, from, 'utf16le');
    bytes.writeUInt16LE(text === '' ? 0 : 2 * text.length + 2, from + 64);
    bytes.writeUInt8(kind, from + 66);
    bytes.writeUInt8(1, from + 67);
    for (const [sibling, id] of [nothing, nothing, child].entries()) bytes.writeUInt32LE(id, from + 68 + 4 * sibling);
    bytes.writeUInt32LE(start, from + 116);
    bytes.writeUInt32LE(size, from + 120);
  };
  entry(0, kinds.root, 'Root Entry', 1, endOfChain, 0);
  entry(1, kinds.stream, name, nothing, 0, streamBytes);
  for (const unused of [2, 3]) entry(unused, 0, '', nothing, 0, 0);
  return bytes;
}

/** For every sector the one that follows it, or what it is there for. */
function table({ stream, directory: at, firstTable, tables, firstList, lists }: Layout): Buffer {
  const entries = new Uint32Array(tables * idsInSector).fill(nothing);
  for (let sector = 0; sector < stream; sector += 1) entries[sector] = sector + 1;
  entries[stream - 1] = endOfChain;
  entries[at] = endOfChain;
  entries.fill(tableSector, firstTable, firstTable + tables);
  entries.fill(tableListSector, firstList, firstList + lists);
  return littleEndian(entries);
}

/** The table's sectors that the header has no room for; each sector of the list ends with the next one's number. */
function tableList({ firstTable, tables, firstList, lists }: Layout): Buffer {
  const entries = new Uint32Array(lists * idsInSector).fill(nothing);
  for (let further = tableIdsInHeader; further < tables; further += 1) {
    const place = further - tableIdsInHeader;
    entries[place + Math.floor(place / tableIdsInSector)] = firstTable + further;
  }
  for (let list = 0; list < lists; list += 1)
    entries[(list + 1) * idsInSector - 1] = list + 1 < lists ? firstList + list + 1 : endOfChain;
  return littleEndian(entries);
}

function littleEndian(entries: Uint32Array): Buffer {
  const bytes = Buffer.alloc(entries.length * 4);
  for (const [at, entry] of entries.entries()) bytes.writeUInt32LE(entry, at * 4);
  return bytes;
}
