// KIDs as people type or paste them: which object one names, and what it belongs to. Only their shape is known here; the
// service decides whether there is such an object.

export type KidType =
  | 'bank'
  | 'location'
  | 'unit'
  | 'resident'
  | 'posting'
  | 'booking'
  | 'document'
  | 'computer'
  | 'heldLine'
  | 'import'
  | 'manager'
  | 'installer'
  | 'service';

export type FoundKid = { readonly type: KidType; readonly kid: string };

/** The numbers of a KID begin with no zero; that of everyone whose identity has expired is zero. */
const number = '[1-9]\\d{0,18}';
const bank = `B${number}`;
const unit = `${bank}-L${number}-U${number}`;

const shapes: readonly (readonly [type: KidType, shape: RegExp])[] = (
  [
    ['bank', bank],
    ['location', `${bank}-L${number}`],
    ['unit', unit],
    ['document', `${unit}-D${number}`],
    ['resident', `${bank}-R(?:0|${number})`],
    ['posting', `${bank}-X${number}`],
    ['booking', `${bank}-E${number}`],
    ['computer', `${bank}-C${number}`],
    ['heldLine', `${bank}-H${number}`],
    ['import', `F${number}`],
    ['manager', `M${number}`],
    ['installer', `I${number}`],
    ['service', `B0-M${number}`],
  ] as const
).map(([type, shape]) => [type, new RegExp(`^${shape}$`)]);

/** Undefined if the text is no KID of this tenant. Case, what is around it, and a missing name of the tenant do not count. */
export function findKid(text: string, tenantKid: string): FoundKid | undefined {
  const bare = text.replaceAll(/^[\s"'<([{]+|[\s"'>)\]}.,;:]+$/g, '').toUpperCase();
  const prefix = `${tenantKid.toUpperCase()}-`;
  const rest = bare.startsWith(prefix) ? bare.slice(prefix.length) : bare;
  const type = shapes.find(([, shape]) => shape.test(rest))?.[0];
  return type === undefined ? undefined : { type, kid: `${tenantKid}-${rest}` };
}

/** The KID of the bank to which an object belongs; empty if it belongs to none. */
export const bankKidOf = (kid: string): string => /^[a-z][a-z0-9]*-B[1-9]\d*/.exec(kid)?.[0] ?? '';

/** The KID of the location of a unit or a document. */
export const locationKidOf = (kid: string): string => /^.+?-L\d+/.exec(kid)?.[0] ?? '';

/** The KID of the unit of a document. */
export const unitKidOf = (kid: string): string => /^.+?-U\d+/.exec(kid)?.[0] ?? '';
