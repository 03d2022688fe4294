// The commands of computers, as addresses name them.

export const computerCommands = { create: 'create', renew: 'code', revoke: 'revoke' } as const;
