// The config of a synchronised folder: of which kind its files are, what guards them, and which exports and charges are
// written. A small JSON document, which this checks.

import { Type, type Static } from 'typebox';
import { Errors } from 'typebox/value';
import { formatBankKid, parseKid } from '../../../lib/kid.ts';
import { missingActions, type MissingAction } from '../../imports/rules/import-states.ts';
import { formatJsonPath } from '../../import-profiles/rules/json-path.ts';
import { importKindNames, type ImportKindName } from '../../import-kinds/rules/kind-names.ts';

const closed = { additionalProperties: false };
const Kind = Type.Enum([...importKindNames]);

/** The charges of settlements, which are not read again. */
const chargesKind = 'charges';
const outgoingKindNames = [...importKindNames, chargesKind] as const;
type OutgoingKindName = (typeof outgoingKindNames)[number];

const Profile = Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }));
const Bank = Type.Optional(Type.String({ maxLength: 64 }));
const maxRows = 1_000_000_000;

const Incoming = Type.Object(
  {
    /** The pattern of the names of files: `*` is any text, `?` any character. */
    pattern: Type.String({ minLength: 1, maxLength: 200 }),
    kind: Kind,
    bank: Bank,
    profile: Profile,
    missing: Type.Optional(Type.Enum([...missingActions])),
    allowPartial: Type.Optional(Type.Boolean()),
    /** How many objects a full file may lack, instead of 5 %. */
    maxMissing: Type.Optional(Type.Integer({ minimum: 0, maximum: maxRows })),
    /** How many rows may change something. */
    maxChanges: Type.Optional(Type.Integer({ minimum: 1, maximum: maxRows })),
  },
  closed,
);

const Outgoing = Type.Object(
  {
    kind: Type.Enum([...outgoingKindNames]),
    bank: Bank,
    /** Whose keys the rows have. */
    profile: Profile,
    /** `{date}` is the day in the time zone of the tenant, `{period}` the number of the period of charges. */
    file: Type.String({ minLength: 1, maxLength: 200 }),
    /** The first settlement period whose charges are written. */
    fromPeriod: Type.Optional(Type.Integer({ minimum: 1, maximum: maxRows })),
  },
  closed,
);

const Config = Type.Object(
  {
    in: Type.Optional(Type.Array(Incoming, { maxItems: 1000 })),
    out: Type.Optional(Type.Array(Outgoing, { maxItems: 1000 })),
  },
  closed,
);

type IncomingDocument = Readonly<Static<typeof Incoming>>;
type OutgoingDocument = Readonly<Static<typeof Outgoing>>;
type ConfigDocument = { readonly in?: IncomingDocument[]; readonly out?: OutgoingDocument[] };

export type IncomingFiles = {
  readonly pattern: string;
  readonly kind: ImportKindName;
  /** 0 for a kind that belongs to no bank. */
  readonly bankId: number;
  readonly profile: string | undefined;
  readonly missing: MissingAction;
  readonly allowPartial: boolean;
  readonly maxMissing: number | undefined;
  readonly maxChanges: number | undefined;
};

export type OutgoingFile = {
  /** The place in the config, such as `out[0]`. */
  readonly path: string;
  readonly kind: ImportKindName;
  readonly bankId: number;
  readonly profile: string | undefined;
  readonly file: string;
};

/** The charges of a bank's closed settlement periods, each period in a file of its own. */
export type OutgoingCharges = {
  readonly path: string;
  readonly bankId: number;
  readonly file: string;
  /** Earlier ones are not written. */
  readonly fromPeriod: number;
};

export type SyncConfig = {
  readonly incoming: readonly IncomingFiles[];
  readonly outgoing: readonly OutgoingFile[];
  readonly charges: readonly OutgoingCharges[];
};

export type SyncConfigError = { readonly path: string; readonly message: string };

type KindFacts = { readonly belongsTo: 'bank' | 'tenant'; readonly isDeactivatable?: true };

type SyncConfigContext = {
  readonly tenant: string;
  /** The bank of what names none. */
  readonly bankId: number | undefined;
  /** Undefined for a kind that there is not. */
  readonly factsOf: (kind: ImportKindName) => KindFacts | undefined;
};

type ParsedConfig = { readonly config: SyncConfig } | { readonly errors: readonly SyncConfigError[] };

/** A parsed JSON value -> the config, or every reason why it is none. A list is taken for `in`. */
export function parseSyncConfig(value: unknown, context: SyncConfigContext): ParsedConfig {
  const document = Array.isArray(value) ? { in: value as unknown[] } : value;
  const shapeErrors = listShapeErrors(document);
  const errors = shapeErrors.length > 0 ? shapeErrors : listRuleErrors(document as ConfigDocument, context);
  if (errors.length > 0) return { errors };
  const { in: incoming = [], out: outgoing = [] } = document as ConfigDocument;
  return {
    config: {
      incoming: incoming.map((files) => ({
        pattern: files.pattern,
        kind: files.kind,
        bankId: bankIdOf(files, context) ?? 0,
        profile: files.profile,
        missing: files.missing ?? 'keep',
        allowPartial: files.allowPartial ?? false,
        maxMissing: files.maxMissing,
        maxChanges: files.maxChanges,
      })),
      outgoing: outgoing.flatMap((each, index) => {
        const { kind, profile, file } = each;
        return kind === chargesKind
          ? []
          : [{ path: `out[${index}]`, kind, bankId: bankIdOf(each, context) ?? 0, profile, file }];
      }),
      charges: outgoing.flatMap((each, index) => {
        const { kind, file, fromPeriod = 1 } = each;
        return kind === chargesKind
          ? [{ path: `out[${index}]`, bankId: bankIdOf(each, context) ?? 0, file, fromPeriod }]
          : [];
      }),
    },
  };
}

function listShapeErrors(document: unknown): SyncConfigError[] {
  const messages = new Map<string, string>();
  for (const { instancePath, keyword, message } of Errors(Config, document)) {
    // The error of the object names the same property.
    if (keyword === 'additionalProperties') continue;
    const path = formatJsonPath(instancePath) || 'config';
    if (!messages.has(path)) messages.set(path, shapeTextOf(keyword, path) ?? message);
  }
  return [...messages].map(([path, message]) => ({ path, message }));
}

function shapeTextOf(keyword: string, path: string): string | undefined {
  if (keyword === 'boolean') return 'is not a property of the config';
  if (keyword === 'pattern') return 'must be the name of a profile';
  if (keyword !== 'enum') return undefined;
  if (!path.endsWith('.kind')) return `must be one of ${missingActions.join(', ')}`;
  return `must be one of ${(path.startsWith('out') ? outgoingKindNames : importKindNames).join(', ')}`;
}

function listRuleErrors(
  { in: incoming = [], out: outgoing = [] }: ConfigDocument,
  context: SyncConfigContext,
): SyncConfigError[] {
  const patterns = incoming.map(({ pattern }) => pattern);
  const files = outgoing.map(({ file }) => file);
  const chargedBanks = outgoing.map((each) => (each.kind === chargesKind ? bankIdOf(each, context) : undefined));
  return [
    ...incoming.flatMap((each, index) => [
      ...listErrors(`in[${index}]`, listBankChecks(each, context)),
      ...listErrors(`in[${index}]`, listIncomingChecks(each, context, patterns.indexOf(each.pattern) < index)),
    ]),
    ...outgoing.flatMap((each, index) => [
      ...listErrors(`out[${index}]`, listBankChecks(each, context)),
      ...listErrors(`out[${index}]`, listOutgoingChecks(each, files.indexOf(each.file) < index)),
      ...listErrors(
        `out[${index}]`,
        listChargesChecks(each, chargedBanks[index] !== undefined && chargedBanks.indexOf(chargedBanks[index]) < index),
      ),
    ]),
  ];
}

type Check = readonly [isWrong: boolean, name: string, message: string];
type Banked = { readonly kind: OutgoingKindName; readonly bank?: string };

const outgoingFactsOf = (kind: OutgoingKindName, context: SyncConfigContext): KindFacts | undefined =>
  kind === chargesKind ? { belongsTo: 'bank' } : context.factsOf(kind);

const listErrors = (path: string, checks: readonly Check[]): SyncConfigError[] =>
  checks.flatMap(([isWrong, name, message]) => (isWrong ? [{ path: `${path}.${name}`, message }] : []));

function listBankChecks(each: Banked, context: SyncConfigContext): Check[] {
  const { kind, bank } = each;
  const facts = outgoingFactsOf(kind, context);
  if (facts === undefined) return [[true, 'kind', `is of no use yet: ${kind} cannot be imported`]];
  const isOfBank = facts.belongsTo === 'bank';
  const isUnknown = bankIdOf(each, context) === undefined;
  const example = formatBankKid(context.tenant, 1001);
  return [
    [!isOfBank && bank !== undefined, 'bank', `must be left out: ${kind} belong to no bank`],
    [isOfBank && bank === undefined && isUnknown, 'bank', `is missing: ${kind} belong to a bank`],
    [
      isOfBank && bank !== undefined && isUnknown,
      'bank',
      `must be the KID of a bank of this tenant, such as ${example}`,
    ],
  ];
}

function bankIdOf({ kind, bank }: Banked, context: SyncConfigContext): number | undefined {
  if (outgoingFactsOf(kind, context)?.belongsTo !== 'bank') return undefined;
  return bank === undefined ? context.bankId : parseKid(bank, context.tenant, ['bank'])?.bankId;
}

const isFileName = (name: string): boolean => !/[/\\\p{Cc}]/u.test(name) && !name.startsWith('.');

function listIncomingChecks(
  { pattern, kind, missing = 'keep', maxMissing }: IncomingDocument,
  { factsOf }: SyncConfigContext,
  isRepeated: boolean,
): Check[] {
  const deactivates = missing === 'deactivate';
  return [
    [!isFileName(pattern), 'pattern', 'must match names of files, without folders, that do not begin with a dot'],
    [isRepeated, 'pattern', 'is that of an earlier entry, which is used'],
    [deactivates && factsOf(kind)?.isDeactivatable !== true, 'missing', `must be keep: ${kind} cannot be deactivated`],
    [!deactivates && maxMissing !== undefined, 'maxMissing', 'needs "missing": "deactivate"'],
  ];
}

function listOutgoingChecks({ kind, file }: OutgoingDocument, isRepeated: boolean): Check[] {
  const places = kind === chargesKind ? /\{(?:date|period)\}/g : /\{date\}/g;
  const allowed = kind === chargesKind ? '{date} and {period}' : '{date}';
  return [
    [!isFileName(file), 'file', 'must be the name of a file, without folders, that does not begin with a dot'],
    [/[{}]/.test(file.replaceAll(places, '')), 'file', `must have no braces but those of ${allowed}`],
    [isRepeated, 'file', 'is that of an earlier entry'],
  ];
}

/** What is charged twice is a harm: so each period has a file of its own, and where they begin has to be said. */
function listChargesChecks({ kind, file, profile, fromPeriod }: OutgoingDocument, isRepeated: boolean): Check[] {
  if (kind !== chargesKind) return [[fromPeriod !== undefined, 'fromPeriod', 'is only for charges']];
  return [
    [!file.includes('{period}'), 'file', 'must have {period}: each settlement period has a file of its own'],
    [profile !== undefined, 'profile', 'must be left out: the command charges sets that of the bank'],
    [fromPeriod === undefined, 'fromPeriod', 'is missing: the first settlement period whose charges are written'],
    [isRepeated, 'bank', 'is that of an earlier entry of charges'],
  ];
}
