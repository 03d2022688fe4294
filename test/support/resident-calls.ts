// How a test asks for residents and changes them.

import type { CallOptions } from './call.ts';
import type { ReplyOf } from './operation-replies.ts';
import type { TestService } from './service.ts';

type Caller = Pick<TestService, 'call'>;

export type ResidentCallOptions = CallOptions & { readonly bankId?: number };

export const usersPath = (bankId = 1001): string => `/api/v1/banks/sund-B${bankId}/users`;
export const userPath = (residentId: number, bankId = 1001): string =>
  `${usersPath(bankId)}/sund-B${bankId}-R${residentId}`;

export type NewUser = Readonly<Record<string, unknown>>;

/** What a test creates unless it says otherwise: as little as a resident needs. */
export const createUser = (
  { call }: Caller,
  user: NewUser,
  { bankId = 1001, ...options }: ResidentCallOptions,
): Promise<ReplyOf<'CreateBankUser'>> =>
  call('POST', usersPath(bankId), { body: { name: 'Ada Lund', ...user }, ...options });

export const getWorkspace = (
  { call }: Caller,
  residentId: number,
  { bankId = 1001, ...options }: ResidentCallOptions,
): Promise<ReplyOf<'GetBankUserWorkspace'>> => call('GET', userPath(residentId, bankId), options);

export const getActivation = (
  { call }: Caller,
  residentId: number,
  { bankId = 1001, ...options }: ResidentCallOptions,
): Promise<ReplyOf<'GetBankUserActivation'>> => call('GET', `${userPath(residentId, bankId)}/activation`, options);

export type UserCommand = {
  readonly command: string;
  readonly value?: string;
  /** That of a new resident unless told otherwise. */
  readonly expectedRevision?: string;
};

export const executeUserCommand = (
  { call }: Caller,
  residentId: number,
  { command, expectedRevision = '1', ...value }: UserCommand,
  { bankId = 1001, ...options }: ResidentCallOptions,
): Promise<ReplyOf<'ExecuteBankUserCommand'>> =>
  call('POST', `${userPath(residentId, bankId)}/commands/${command}`, {
    body: { expectedRevision, ...value },
    ...options,
  });
