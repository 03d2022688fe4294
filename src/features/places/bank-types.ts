// What a bank can be, and the code that is stored of it: in a cash bank residents pay themselves, in a rent bank what
// they owe is moved to their rent.

export const bankTypes = { cash: 1, rent: 2 } as const;
export type BankType = keyof typeof bankTypes;
