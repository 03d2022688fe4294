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

/** Null for an unknown name. */
export const findBankTypeCode = (name: string): number | null =>
  name === 'Cash' ? bankTypes.cash : name === 'Rent' ? bankTypes.rent : null;

/** The discount of a settlement is a Danish custom: only banks in kroner have it. */
export const discountCurrency = 'DKK';
