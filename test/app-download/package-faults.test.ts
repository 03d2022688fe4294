// The validation of a package: a good one passes, and one with a single fault fails the check for that fault, with a
// message that names it.

import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  validatePackage,
  type ExpectedPackage,
  type PackageCheck,
  type PackageVerdict,
} from '../../src/providers/releases/package/validate-package.ts';
import {
  buildPackage,
  buildUnsignedPackage,
  packageName,
  packageVersion,
  sampleFiles,
  type PackageOptions,
} from '../support/packages/build-package.ts';
import { commonName, createSigner, type Signer } from '../support/packages/signer.ts';
import type { ZipFile } from '../support/packages/write-zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-packages-'));
after(() => rmSync(folder, { recursive: true }));
const signer = createSigner([[commonName, 'Example']]);
const stranger = createSigner([[commonName, 'Stranger']]);
let fileCount = 0;

const expected: ExpectedPackage = {
  name: packageName,
  publisher: 'CN=Example',
  version: packageVersion,
  architecture: 'x64',
  certificateSha256: [],
};

function validate(bytes: Buffer, expectation: ExpectedPackage = expected): Promise<PackageVerdict> {
  const path = join(folder, `${(fileCount += 1)}.msix`);
  writeFileSync(path, bytes);
  return validatePackage(path, expectation);
}

const faultsOf = ({ checks }: PackageVerdict): string[] =>
  checks.flatMap(({ check, fault }) => (fault === undefined ? [] : [`${check}: ${fault}`]));

describe('a good package passes every check', () => {
  const forms: Record<string, PackageOptions> = {
    'as it is': {},
    'with ZIP64': { zip64: true },
    'with ZIP64, and the same numbers in the last record': { zip64: true, bothEnds: true },
    'with sizes after the data': { descriptors: true },
    'with both, as the packaging tool writes it': { zip64: true, descriptors: true },
    'for arm64': { architecture: 'arm64' },
    'with an app of several megabytes': {
      files: [{ name: 'portal.exe', content: Buffer.alloc(5_000_001, 'portal') }, ...sampleFiles.slice(1)],
    },
    'with a version of the largest numbers': { version: '65535.65535.65535.65535' },
  };
  for (const [form, options] of Object.entries(forms)) {
    test(form, async () => {
      const bytes = buildPackage(signer, options);
      const { architecture = 'x64', version = packageVersion } = options;
      const verdict = await validate(bytes, { ...expected, architecture, version });
      assert.deepEqual(faultsOf(verdict), []);
      assert.equal(verdict.isValid, true);
      assert.equal(verdict.sha256, createHash('sha256').update(bytes).digest('hex'));
      assert.equal(verdict.size, bytes.length);
      assert.deepEqual(verdict.identity, { name: packageName, publisher: 'CN=Example', version, architecture });
    });
  }
});

test('a package that changes while it is validated is not valid', async () => {
  const path = join(folder, 'changing.msix');
  writeFileSync(path, buildPackage(signer, {}));
  const validated = new AbortController();
  const verdict = validatePackage(path, expected).finally(() => validated.abort());
  // Its content stays the same, so that nothing else can be found wrong with it.
  for (let second = 1; !validated.signal.aborted; second += 1) {
    utimesSync(path, second, second);
    await new Promise(setImmediate);
  }
  assert.deepEqual(faultsOf(await verdict), ['file: the file changed while it was read']);
});

const [program = sampleFiles[0] as ZipFile, ...otherFiles] = sampleFiles;
const withFile = (file: ZipFile): PackageOptions => ({ files: [...sampleFiles, file] });
const small = (name: string): ZipFile => ({ name, content: Buffer.from('text') });
const changeFile = (name: string, change: Partial<ZipFile>): Pick<PackageOptions, 'changeFiles'> => ({
  changeFiles: (files) => files.map((file) => (file.name === name ? { ...file, ...change } : file)),
});
const replace =
  (from: string, to: string) =>
  (xml: string): string => {
    assert.ok(xml.includes(from), from);
    return xml.replace(from, to);
  };
const identityText = 'Name="Example.Portal"';

type Breakage = readonly [name: string, options: PackageOptions, check: PackageCheck, message: RegExp];

const ofArchive: readonly Breakage[] = [
  [
    'an encrypted file',
    withFile({ ...small('a.txt'), changeRecord: (r) => void r.writeUInt16LE(1, 8) }),
    'archive',
    /encrypted/,
  ],
  [
    'an unknown method',
    withFile({ ...small('a.txt'), changeRecord: (r) => void r.writeUInt16LE(12, 10) }),
    'archive',
    /method 12/,
  ],
  [
    'an unknown flag',
    withFile({ ...small('a.txt'), changeRecord: (r) => void r.writeUInt16LE(0x40, 8) }),
    'archive',
    /feature/,
  ],
  ['a name twice', withFile(small('portal.exe')), 'archive', /twice/],
  ['a name twice in another case', withFile(small('PORTAL.exe')), 'archive', /twice/],
  ['a name twice, once encoded', withFile(small('port%61l.exe')), 'archive', /twice/],
  ['an absolute name', withFile(small('/a.txt')), 'archive', /not a valid file name/],
  ['a way out', withFile(small('../a.txt')), 'archive', /not a valid file name/],
  ['a way out, encoded', withFile(small('%2e%2e/a.txt')), 'archive', /not a valid file name/],
  ['a slash, encoded', withFile(small('a%2fb.txt')), 'archive', /not a valid file name/],
  ['a backslash', withFile(small('a\\b.txt')), 'archive', /not a valid file name/],
  ['a drive', withFile(small('C:a.txt')), 'archive', /not a valid file name/],
  ['a NUL', withFile(small('a%00.txt')), 'archive', /not a valid file name/],
  ['a folder of its own', withFile({ name: 'Empty/', content: Buffer.alloc(0) }), 'archive', /not a valid file name/],
  [
    'hidden bytes between files',
    { files: [{ ...program, hidden: Buffer.from('hidden') }, ...otherFiles] },
    'archive',
    /belong to no file/,
  ],
  [
    'hidden bytes before the directory',
    { changeFiles: (files) => files, filesAfterSignature: [{ ...small('a.txt'), hidden: Buffer.from('x') }] },
    'archive',
    /between the last file and the directory/,
  ],
  [
    'another name in the header',
    withFile({ ...small('a.txt'), changeHeader: (h) => void h.writeUInt16LE(4, 26) }),
    'archive',
    /another header/,
  ],
  [
    'another method in the header',
    withFile({ ...small('a.txt'), changeHeader: (h) => void h.writeUInt16LE(0, 8) }),
    'archive',
    /another header/,
  ],
  [
    'another size in the header',
    withFile({ ...small('a.txt'), changeHeader: (h) => void h.writeUInt32LE(99, 22) }),
    'archive',
    /another size/,
  ],
  [
    'another checksum in the header',
    withFile({ ...small('a.txt'), changeHeader: (h) => void h.writeUInt32LE(99, 14) }),
    'archive',
    /checksum/,
  ],
  [
    'no header where it should be',
    withFile({ ...small('a.txt'), changeHeader: (h) => void h.writeUInt32LE(99, 0) }),
    'archive',
    /not where/,
  ],
  [
    'another size after the data',
    { descriptors: true, ...withFile({ ...small('a.txt'), changeRecord: (r) => void r.writeUInt32LE(99, 24) }) },
    'archive',
    /after its data/,
  ],
  [
    'a wrong offset',
    withFile({ ...small('a.txt'), changeRecord: (r) => void r.writeUInt32LE(7, 42) }),
    'archive',
    /overlap/,
  ],
  [
    'two sizes of a stored file',
    withFile({ ...small('a.txt'), method: 'stored', changeRecord: (r) => void r.writeUInt32LE(99, 24) }),
    'archive',
    /two different sizes/,
  ],
  [
    'more bytes than a file may unpack to',
    withFile({
      ...small('a.txt'),
      changeRecord: (r) => void r.writeUInt32LE(0xffff_fffe, 24),
      changeHeader: (h) => void h.writeUInt32LE(0xffff_fffe, 22),
    }),
    'block map',
    /says/,
  ],
  ['a wrong number of files', { changeEnd: (end) => void end.writeUInt16LE(99, 10) }, 'archive', /one part of several/],
  [
    'a wrong number of files, twice',
    { changeEnd: (end) => [8, 10].forEach((at) => end.writeUInt16LE(99, at)) },
    'archive',
    /its end says 99/,
  ],
  [
    'a wrong place of the directory',
    { changeEnd: (end) => void end.writeUInt32LE(1, 16) },
    'archive',
    /not where its end says/,
  ],
  ['a comment', { changeEnd: (end) => void end.writeUInt16LE(3, 20) }, 'archive', /does not end as/],
];

const ofContents: readonly Breakage[] = [
  [
    'no manifest',
    { changeFiles: (files) => files.filter(({ name }) => name !== 'AppxManifest.xml') },
    'contents',
    /lacks AppxManifest\.xml/,
  ],
  [
    'no block map',
    { changeFiles: (files) => files.filter(({ name }) => name !== 'AppxBlockMap.xml') },
    'contents',
    /lacks AppxBlockMap\.xml/,
  ],
  [
    'no content types',
    { changeFiles: (files) => files.filter(({ name }) => name !== '[Content_Types].xml') },
    'contents',
    /lacks \[Content_Types\]/,
  ],
  ['no signature', { signatureName: 'Signature.p7x' }, 'contents', /lacks AppxSignature\.p7x/],
  ['a bundle', withFile(small('AppxMetadata/AppxBundleManifest.xml')), 'contents', /bundle/],
  ['no XML of content types', { changeContentTypes: () => 'types' }, 'contents', /not well-formed/],
  [
    'other XML in place of the content types',
    { changeContentTypes: () => '<Types xmlns="urn:other"/>' },
    'contents',
    /no content types/,
  ],
];

const ofIdentity: readonly Breakage[] = [
  ['another name', { name: 'Other.Portal' }, 'identity', /name is Other\.Portal; expected Example\.Portal/],
  ['another publisher', { publisher: 'CN=Other' }, 'identity', /publisher is CN=Other/],
  ['another version', { version: '1.2.3.1' }, 'identity', /version is 1\.2\.3\.1/],
  ['another architecture', { architecture: 'arm64' }, 'identity', /architecture is arm64/],
  [
    'no architecture',
    { changeManifest: replace(' ProcessorArchitecture="x64"', '') },
    'identity',
    /architecture is neutral/,
  ],
  ['an unknown architecture', { architecture: 'mips' }, 'identity', /ProcessorArchitecture of the identity is "mips"/],
  ['a name that is too short', { name: 'ab' }, 'identity', /Name of the identity is "ab"/],
  ['a name with an underscore', { name: 'a_b_c' }, 'identity', /Name of the identity/],
  ['the name of a device', { name: 'con.app' }, 'identity', /Name of the identity/],
  ['a version of three numbers', { version: '1.2.3' }, 'identity', /Version of the identity is "1\.2\.3"/],
  ['a version with leading zeros', { version: '1.02.3.0' }, 'identity', /Version of the identity/],
  ['a version that begins with 0', { version: '0.2.3.0' }, 'identity', /Version of the identity/],
  ['a version that is too large', { version: '1.2.65536.0' }, 'identity', /Version of the identity/],
  [
    'no publisher',
    { changeManifest: replace(' Publisher="CN=Example"', '') },
    'identity',
    /Publisher of the identity is missing/,
  ],
  [
    'a long resource',
    { changeManifest: replace(identityText, `${identityText} ResourceId="${'a'.repeat(31)}"`) },
    'identity',
    /ResourceId/,
  ],
  ['no identity', { changeManifest: (xml) => xml.replace(/<Identity[^>]*>/, '') }, 'identity', /0 identities/],
  ['two identities', { changeManifest: (xml) => xml.replace(/<Identity[^>]*>/, '$&$&') }, 'identity', /2 identities/],
  [
    'another namespace',
    { changeManifest: replace('foundation/windows10"', 'foundation/windows8"') },
    'identity',
    /not the manifest/,
  ],
  [
    'a document type',
    { changeManifest: replace('<Package ', '<!DOCTYPE Package [<!ENTITY a "b">]><Package ') },
    'identity',
    /document type/,
  ],
  ['an unknown entity', { changeManifest: replace('Example portal<', '&a;<') }, 'identity', /not well-formed/],
  [
    'text that is not UTF-8',
    changeFile('AppxManifest.xml', { content: Buffer.from([0x3c, 0xff, 0xfe]) }),
    'identity',
    /not UTF-8/,
  ],
  [
    'elements that are nested deeply',
    { changeManifest: replace('<Properties>', `${'<a>'.repeat(70)}${'</a>'.repeat(70)}<Properties>`) },
    'identity',
    /deeply/,
  ],
];

const ofBlockMap: readonly Breakage[] = [
  [
    'changed content',
    changeFile('portal.exe', { content: Buffer.alloc(150_000, 'Xhe portal. ') }),
    'block map',
    /block 1 of portal\.exe does not have the hash/,
  ],
  [
    'changed content of a later block',
    changeFile('portal.exe', { content: Buffer.concat([program.content.subarray(0, 149_999), Buffer.from('x')]) }),
    'block map',
    /block 3 of portal\.exe/,
  ],
  [
    'longer content',
    changeFile('portal.exe', { content: Buffer.alloc(150_001, 'The portal. ') }),
    'block map',
    /150001 bytes, and AppxBlockMap\.xml says 150000/,
  ],
  [
    'a file that is not listed',
    { changeFiles: (files) => [...files, small('extra.txt')] },
    'block map',
    /extra\.txt is in the archive, but not/,
  ],
  [
    'a file that is listed and missing',
    { changeFiles: (files) => files.filter(({ name }) => name !== 'Assets/empty.txt') },
    'block map',
    /empty\.txt, which is not in the archive/,
  ],
  [
    'a listed block map',
    { changeBlockMap: replace('</BlockMap>', '<File Name="AppxBlockMap.xml" Size="0" LfhSize="30"/></BlockMap>') },
    'block map',
    /must not be listed/,
  ],
  [
    'a file that is listed twice',
    { changeBlockMap: (xml) => xml.replace(/<File Name="Assets\\empty.*?<\/File>/, '$&$&') },
    'block map',
    /twice/,
  ],
  [
    'a wrong header size',
    { changeBlockMap: replace('LfhSize="40"', 'LfhSize="41"') },
    'block map',
    /header of portal\.exe has 40 bytes/,
  ],
  ['a missing block', { changeBlockMap: (xml) => xml.replace(/<Block [^>]*>/, '') }, 'block map', /blocks that/],
  ['another hash method', { changeBlockMap: replace('#sha256', '#sha512') }, 'block map', /not SHA-256/],
  [
    'a hash of another length',
    { changeBlockMap: (xml) => xml.replace(/Hash="[^"]*"/, 'Hash="AAAA"') },
    'block map',
    /hash is not SHA-256/,
  ],
  ['no size', { changeBlockMap: replace('Size="150000"', '') }, 'block map', /no valid number for the size of /],
  [
    'stored blocks of a compressed file',
    { changeBlockMap: (xml) => xml.replaceAll(/(<Block Hash="[^"]*") Size="\d+"/g, '$1') },
    'block map',
    /whether the blocks/,
  ],
  [
    'blocks that are larger than the file',
    { changeBlockMap: (xml) => xml.replace(/(<Block Hash="[^"]*") Size="\d+"/, '$1 Size="999999"') },
    'block map',
    /larger compressed blocks/,
  ],
  [
    'an element that is unknown',
    { changeBlockMap: replace('</BlockMap>', '<Other/></BlockMap>') },
    'block map',
    /element Other/,
  ],
  ['other XML', { changeBlockMap: () => '<Map/>' }, 'block map', /not a block map/],
  [
    'a document type',
    { changeBlockMap: replace('<BlockMap', '<!DOCTYPE BlockMap><BlockMap') },
    'block map',
    /document type/,
  ],
];

const digestOf = (part: string) => (digests: [string, Buffer][]) =>
  digests.map(([name, digest]): [string, Buffer] => [name, name === part ? Buffer.alloc(32) : digest]);

const ofSignature: readonly Breakage[] = [
  ...['AXPC', 'AXCD', 'AXCT', 'AXBM'].map((part): Breakage => [
    `another digest ${part}`,
    { changeDigests: digestOf(part) },
    'signature',
    new RegExp(`changed since it was signed: .* \\(digest ${part}\\)`),
  ]),
  ['a missing digest', { changeDigests: (digests) => digests.slice(1) }, 'signature', /AXPC/],
  [
    'a digest of an unknown part',
    { changeDigests: (digests) => [...digests, ['AXXX', Buffer.alloc(32)]] },
    'signature',
    /unknown part, AXXX/,
  ],
  [
    'a digest twice',
    { changeDigests: (digests) => [...digests, ...digests.slice(0, 1)] },
    'signature',
    /two digests AXPC/,
  ],
  [
    'a digest of a catalogue that is not there',
    { changeDigests: (digests) => [...digests, ['AXCI', Buffer.alloc(32)]] },
    'signature',
    /AXCI/,
  ],
  [
    'a digest of another length',
    { changeDigests: (digests) => [...digests, ['AXCI', Buffer.alloc(31)]] },
    'signature',
    /no digests/,
  ],
  [
    'digests that were changed after signing',
    { changeContent: (content) => Buffer.concat([content.subarray(0, -1), Buffer.from([content.at(-1)! ^ 1])]) },
    'signature',
    /other content/,
  ],
  ['another key', { otherKey: stranger }, 'signature', /not made with the key/],
  [
    'another magic number',
    { changeSignature: (bytes) => Buffer.concat([Buffer.from('PKCY'), bytes.subarray(4)]) },
    'signature',
    /not the signature of a package/,
  ],
  ['no DER', { changeSignature: () => Buffer.from('PKCXnothing') }, 'signature', /not DER|cut short/],
  [
    'a signature that is a set',
    { changeSignature: (bytes) => Buffer.concat([bytes.subarray(0, 4), Buffer.from([0x31]), bytes.subarray(5)]) },
    'signature',
    /of another type/,
  ],
  [
    'bytes after the signature',
    { changeSignature: (bytes) => Buffer.concat([bytes, Buffer.alloc(2)]) },
    'signature',
    /not DER/,
  ],
  ['a signature that is cut short', { changeSignature: (bytes) => bytes.subarray(0, -10) }, 'signature', /cut short/],
  [
    'a file after the signature',
    { filesAfterSignature: [small('late.txt')], changeBlockMap: (xml) => xml },
    'signature',
    /not the last file/,
  ],
];

describe('[download.09] a package with', () => {
  for (const [name, options, check, message] of [
    ...ofArchive,
    ...ofContents,
    ...ofIdentity,
    ...ofBlockMap,
    ...ofSignature,
  ]) {
    test(`${name} is refused (${check})`, async () => {
      const verdict = await validate(buildPackage(signer, options));
      assert.equal(verdict.isValid, false);
      const found = verdict.checks.find((each) => each.check === check);
      assert.match(found?.fault ?? `nothing; ${faultsOf(verdict).join()}`, message);
    });
  }

  test('no signature at all is refused', async () => {
    assert.match(faultsOf(await validate(buildUnsignedPackage({}))).join(), /lacks AppxSignature\.p7x/);
  });

  test('bytes behind its end, or before its beginning, is refused', async () => {
    const bytes = buildPackage(signer);
    assert.match(faultsOf(await validate(Buffer.concat([bytes, Buffer.from('x')]))).join(), /does not end as/);
    assert.equal((await validate(Buffer.concat([Buffer.from('x'), bytes]))).isValid, false);
  });

  test('a part of it missing is refused, wherever it is cut off', async () => {
    const bytes = buildPackage(signer);
    for (let length = bytes.length - 1; length > 1024; length -= 997) {
      const verdict = await validate(bytes.subarray(0, length));
      assert.equal(verdict.isValid, false, `${length} bytes`);
    }
  });

  test('too few bytes is refused', async () => {
    assert.match(faultsOf(await validate(Buffer.alloc(1023))).join(), /1023 bytes; expected 1024 to/);
  });
});

test('[download.09] a symbolic link, a folder and nothing at all are refused', async () => {
  const target = join(folder, 'target.msix');
  writeFileSync(target, buildPackage(signer));
  symlinkSync(target, join(folder, 'link.msix'));
  mkdirSync(join(folder, 'folder.msix'));
  const faultOf = async (name: string): Promise<string> =>
    faultsOf(await validatePackage(join(folder, name), expected)).join();
  assert.equal(await faultOf('target.msix'), '');
  assert.match(await faultOf('link.msix'), /symbolic link/);
  assert.match(await faultOf('folder.msix'), /not a regular file/);
  assert.match(await faultOf('nothing.msix'), /ENOENT/);
  // The result says nothing about the package.
  await assert.rejects(validatePackage(join(folder, 'x'.repeat(300)), expected), { code: 'ENAMETOOLONG' });
});

/** The same certificate, with a key of an unknown type. */
function withUnknownKeyType(known: Signer): Signer {
  const bytes = Buffer.from(known.certificate.raw);
  const rsaEncryption = Buffer.from('2a864886f70d010101', 'hex');
  bytes.writeUInt8(0x63, bytes.indexOf(rsaEncryption) + rsaEncryption.length - 1);
  const certificate = new X509Certificate(bytes);
  assert.throws(() => certificate.publicKey);
  return { ...known, certificate };
}

test('[download.09] a certificate with a key of an unknown type is a fault where it signed, and issues nothing', async () => {
  const faultWith = async (bytes: Buffer, ...certificateSha256: string[]): Promise<string> =>
    faultsOf(await validate(bytes, { certificateSha256 })).join();
  assert.equal(
    await faultWith(buildPackage(withUnknownKeyType(signer))),
    'signature: the certificate has a key that is damaged or of an unknown type',
  );
  const root = createSigner([[commonName, 'Root']]);
  const issued = createSigner([[commonName, 'Example']], root);
  const bytes = buildPackage(issued, { certificates: [withUnknownKeyType(root).certificate] });
  assert.match(await faultWith(bytes, 'f'.repeat(64)), /^signature: the certificate is none of those expected/);
});

test('[download.09] a package is refused if any byte before its signature was changed', async () => {
  const bytes = buildPackage(signer, { files: [small('a.txt'), { ...small('b.txt'), method: 'stored' }] });
  const signatureAt = bytes.indexOf('AppxSignature.p7x') - 30;
  assert.ok(signatureAt > 1000);
  // A prime step covers every kind of record.
  for (let at = 0; at < signatureAt; at += 11) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 0x01;
    const verdict = await validate(changed);
    assert.equal(verdict.isValid, false, `byte ${at} of ${signatureAt}`);
  }
});

test('[download.09] a package is refused when its end was changed after it was signed', async () => {
  const endBytes = 22;
  const zip64EndAt = -(endBytes + 20 + 56);
  const forms: [options: PackageOptions, offsets: number[], message: RegExp][] = [
    [{}, [4, 6], /one part of several/],
    [{ zip64: true }, [4, 6], /one part of several/],
    // The number of files twice, the size of the directory, and its place.
    [{ zip64: true, bothEnds: true }, [24, 32, 40, 48], /one part of several|different numbers/],
  ];
  for (const [options, offsets, message] of forms)
    for (const offset of offsets)
      for (const value of [1, 0x7f]) {
        const bytes = buildPackage(signer, options);
        bytes[bytes.length + (offset < endBytes ? -endBytes : zip64EndAt) + offset]! ^= value;
        assert.match(faultsOf(await validate(bytes)).join(), message, `${JSON.stringify(options)} ${offset}`);
      }
  // The number of files on this disk, and in all.
  const bytes = buildPackage(signer, { zip64: true, bothEnds: true });
  for (const offset of [24, 32]) bytes[bytes.length + zip64EndAt + offset]! ^= 1;
  assert.match(faultsOf(await validate(bytes)).join(), /different numbers/);
  // All bits set refer to the ZIP64 record, which is missing.
  const plain = buildPackage(signer);
  plain.writeUInt16LE(0xffff, plain.length - endBytes + 4);
  assert.match(faultsOf(await validate(plain)).join(), /one part of several/);
});

test('the publisher in the manifest is the subject of the certificate, in reverse order', async () => {
  const attributes = [
    ['2.5.4.6', 'DK'],
    ['2.5.4.10', 'Example, "Ltd."'],
    [commonName, 'Example'],
  ] as const;
  const company = createSigner(attributes);
  const faultWith = async (publisher: string): Promise<string> =>
    faultsOf(await validate(buildPackage(company, { publisher }), { certificateSha256: [] })).join();
  assert.equal(await faultWith('CN=Example, O="Example, ""Ltd.""", C=DK'), '');
  assert.equal(await faultWith('CN=Example,OID.2.5.4.10=Example\\, \\"Ltd.\\",C=DK'), '');
  assert.match(await faultWith('C=DK, O="Example, ""Ltd.""", CN=Example'), /the manifest names the publisher/);
  assert.match(await faultWith('CN=Example, O=Example, C=DK'), /the manifest names the publisher/);
  assert.match(await faultWith('CN=Example'), /the manifest names the publisher/);
  assert.match(await faultWith('CN=Example, X=Y'), /unknown type X/);
  assert.match(await faultWith('CN=Example,'), /ends with a comma|not an X\.500 name/);
});

test('if certificates are expected, one of them must have signed, or have issued the signer’s certificate', async () => {
  const root = createSigner([[commonName, 'Root']]);
  const issued = createSigner([[commonName, 'Example']], root);
  const fingerprintOf = ({ certificate }: typeof root): string =>
    certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  const faultWith = async (bytes: Buffer, ...certificateSha256: string[]): Promise<string> =>
    faultsOf(await validate(bytes, { certificateSha256 })).join();
  const bytes = buildPackage(issued, { certificates: [root.certificate, stranger.certificate] });
  assert.equal(await faultWith(bytes, fingerprintOf(issued)), '');
  assert.equal(await faultWith(bytes, 'f'.repeat(64), fingerprintOf(root)), '');
  // The certificate is in the signature, but has issued nothing.
  assert.match(await faultWith(bytes, fingerprintOf(stranger)), /none of those expected; its SHA-256 fingerprint is/);
  assert.match(await faultWith(buildPackage(signer), fingerprintOf(root)), /none of those expected/);
});
