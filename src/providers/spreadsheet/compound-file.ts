// Writes the container of a workbook: sectors of 512 bytes, chained by a table ([MS-CFB], version 3).

const sectorBytes = 512;
/** A shorter stream would have to be stored in another part of the file. */
const miniStreamCutoffBytes = 4096;
const entriesPerSector = sectorBytes / 4;
const difatEntriesInHeader = 109;
const difatEntriesPerSector = entriesPerSector - 1;

const endOfChain = 0xff_ff_ff_fe;
const fatSectorMark = 0xff_ff_ff_fd;
const difatSectorMark = 0xff_ff_ff_fc;
const freeSectorMark = 0xff_ff_ff_ff;

type CompoundFileLayout = {
  readonly streamSectors: number;
  readonly directorySector: number;
  readonly firstFatSector: number;
  readonly fatSectors: number;
  readonly firstDifatSector: number;
  readonly difatSectors: number;
};

/** Returns a file with one stream in it, in pieces. */
export function createCompoundFile(name: string, pieces: readonly Uint8Array[]): Uint8Array[] {
  const written = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const padded = Math.max(miniStreamCutoffBytes, Math.ceil(written / sectorBytes) * sectorBytes);
  const layout = computeLayout(padded / sectorBytes);
  const padding = Buffer.alloc(padded - written);
  return [
    createHeader(layout),
    ...pieces,
    padding,
    createDirectory(name, padded),
    createFat(layout),
    createDifat(layout),
  ];
}

// The order of sectors: the stream, the directory, the table of chains, the list of the table's further sectors. The
// table also has entries for its own sectors.
function computeLayout(stream: number): CompoundFileLayout {
  let tables = 0;
  let lists = 0;
  for (;;) {
    const needed = Math.ceil((stream + 1 + tables + lists) / entriesPerSector);
    const listsNeeded = Math.max(0, Math.ceil((needed - difatEntriesInHeader) / difatEntriesPerSector));
    if (needed === tables && listsNeeded === lists) break;
    tables = needed;
    lists = listsNeeded;
  }
  const firstTable = stream + 1;
  return {
    streamSectors: stream,
    directorySector: stream,
    firstFatSector: firstTable,
    fatSectors: tables,
    firstDifatSector: firstTable + tables,
    difatSectors: lists,
  };
}

function createHeader({
  directorySector: at,
  firstFatSector,
  fatSectors,
  firstDifatSector,
  difatSectors,
}: CompoundFileLayout): Buffer {
  const bytes = Buffer.alloc(sectorBytes);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  bytes.writeUInt16LE(0x3e, 24);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(Math.log2(sectorBytes), 30);
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(fatSectors, 44);
  bytes.writeUInt32LE(at, 48);
  bytes.writeUInt32LE(miniStreamCutoffBytes, 56);
  bytes.writeUInt32LE(endOfChain, 60);
  bytes.writeUInt32LE(difatSectors === 0 ? endOfChain : firstDifatSector, 68);
  bytes.writeUInt32LE(difatSectors, 72);
  for (let entry = 0; entry < difatEntriesInHeader; entry += 1)
    bytes.writeUInt32LE(entry < fatSectors ? firstFatSector + entry : freeSectorMark, 76 + 4 * entry);
  return bytes;
}

const entryBytes = 128;
const objectTypes = { root: 5, stream: 2 } as const;

function createDirectory(name: string, streamBytes: number): Buffer {
  const bytes = Buffer.alloc(sectorBytes);
  const entry = (index: number, kind: number, text: string, child: number, start: number, size: number): void => {
    const from = index * entryBytes;
    bytes.write(text, from, 'utf16le');
    bytes.writeUInt16LE(text === '' ? 0 : 2 * text.length + 2, from + 64);
    bytes.writeUInt8(kind, from + 66);
    bytes.writeUInt8(1, from + 67);
    for (const [sibling, id] of [freeSectorMark, freeSectorMark, child].entries())
      bytes.writeUInt32LE(id, from + 68 + 4 * sibling);
    bytes.writeUInt32LE(start, from + 116);
    bytes.writeUInt32LE(size, from + 120);
  };
  entry(0, objectTypes.root, 'Root Entry', 1, endOfChain, 0);
  entry(1, objectTypes.stream, name, freeSectorMark, 0, streamBytes);
  for (const unused of [2, 3]) entry(unused, 0, '', freeSectorMark, 0, 0);
  return bytes;
}

/** Lists for every sector the sector that follows it, or a mark of its use. */
function createFat({
  streamSectors,
  directorySector: at,
  firstFatSector,
  fatSectors,
  firstDifatSector,
  difatSectors,
}: CompoundFileLayout): Buffer {
  const entries = new Uint32Array(fatSectors * entriesPerSector).fill(freeSectorMark);
  for (let sector = 0; sector < streamSectors; sector += 1) entries[sector] = sector + 1;
  entries[streamSectors - 1] = endOfChain;
  entries[at] = endOfChain;
  entries.fill(fatSectorMark, firstFatSector, firstFatSector + fatSectors);
  entries.fill(difatSectorMark, firstDifatSector, firstDifatSector + difatSectors);
  return toLittleEndian(entries);
}

/**
 * Lists the table's sectors that do not fit into the header; each sector of the list ends with the number of the next
 * one.
 */
function createDifat({ firstFatSector, fatSectors, firstDifatSector, difatSectors }: CompoundFileLayout): Buffer {
  const entries = new Uint32Array(difatSectors * entriesPerSector).fill(freeSectorMark);
  for (let further = difatEntriesInHeader; further < fatSectors; further += 1) {
    const difatIndex = further - difatEntriesInHeader;
    entries[difatIndex + Math.floor(difatIndex / difatEntriesPerSector)] = firstFatSector + further;
  }
  for (let list = 0; list < difatSectors; list += 1)
    entries[(list + 1) * entriesPerSector - 1] = list + 1 < difatSectors ? firstDifatSector + list + 1 : endOfChain;
  return toLittleEndian(entries);
}

function toLittleEndian(entries: Uint32Array): Buffer {
  const bytes = Buffer.alloc(entries.length * 4);
  for (const [index, entry] of entries.entries()) bytes.writeUInt32LE(entry, index * 4);
  return bytes;
}
