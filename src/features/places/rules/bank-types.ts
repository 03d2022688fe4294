// The types of banks and their stored codes. In a cash bank residents pay at the unit, in a rent bank the amount is
// charged with the rent.

export const bankTypes = { cash: 1, rent: 2 } as const;
export type BankType = keyof typeof bankTypes;

/** The names of the types in responses. */
export const bankTypeNames = ['Cash', 'Rent'] as const;
type BankTypeName = (typeof bankTypeNames)[number];

/** Null for an unknown code. */
export const findBankTypeName = (code: number): BankTypeName | null =>
  code === bankTypes.cash ? 'Cash' : code === bankTypes.rent ? 'Rent' : null;
