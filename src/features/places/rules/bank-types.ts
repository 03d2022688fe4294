// What a bank can be, and the code that is stored of it: in a cash bank residents pay themselves, in a rent bank what
// they owe is moved to their rent.

export const bankTypes = { cash: 1, rent: 2 } as const;
export type BankType = keyof typeof bankTypes;

/** What the types are called on the wire. */
export const bankTypeNames = ['Cash', 'Rent'] as const;
export type BankTypeName = (typeof bankTypeNames)[number];

/** Null for a code that this version does not know. */
export const findBankTypeName = (code: number): BankTypeName | null =>
  code === bankTypes.cash ? 'Cash' : code === bankTypes.rent ? 'Rent' : null;
