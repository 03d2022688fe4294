// Declares GetBankUsers, ExportBankUsers, CreateBankUser, GetBankUserWorkspace, ExecuteBankUserCommand and
// GetBankUserActivation.

import { BankParams } from '../places/schemas.ts';
import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { download, jsonOf } from '../../http/operations/response.ts';
import { needsOf } from '../../http/operations/operation-properties.ts';
import { parentKidOf } from '../../lib/kid.ts';
import type { PasswordHasher } from '../passwords/process/password-hasher.ts';
import { activationAccess, residentCreateAccess, residentsReadAccess, residentWriteAccess } from './access.ts';
import { createBankUser } from './operations/create-bank-user.ts';
import { executeBankUserCommand } from './operations/execute-bank-user-command.ts';
import { exportBankUsers } from './operations/export-bank-users.ts';
import { getBankUserActivation, type ActivationDependencies } from './operations/get-bank-user-activation.ts';
import { getBankUserWorkspace } from './operations/get-bank-user-workspace.ts';
import { getBankUsers } from './operations/get-bank-users.ts';
import type { ResidentCommand } from './rules/allowed-commands.ts';
import {
  ResidentActivation,
  ResidentChange,
  BankUserCommandParams,
  BankUserParams,
  ResidentPage,
  BankUsersExportQuery,
  BankUsersQuery,
  NewResident,
  ResidentWorkspace,
} from './schemas.ts';

const common = { openApiDocuments: ['portal'], group: 'Residents', deadlineMs: 10_000 } as const;

type ResidentAdministrationDependencies = ActivationDependencies & { readonly passwordHasher: PasswordHasher };

const operationsOnResidents: readonly Operation[] = [
  defineManagerOperation({
    ...common,
    id: 'GetBankUsers',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/users',
    summary: 'List a bank’s residents',
    description:
      'A grant for some locations shows only their residents. Deleted residents are listed as long as the manager’s RetentionDays shows them, and residents whose identity has expired never. Names and apartments are sorted without regard to case and accents, and the numbers in them by value.',
    access: residentsReadAccess,
    params: BankParams,
    query: BankUsersQuery,
    response: jsonOf(ResidentPage),
    problemCodes: ['not-found'],
    run: ({ params: { bankKid }, query }, context) => getBankUsers(context, { bankKid, query }),
  }),
  defineManagerOperation({
    ...common,
    openApiDocuments: ['downloads'],
    id: 'ExportBankUsers',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/users/export.csv',
    summary: 'Download a bank’s residents as CSV',
    description:
      'The residents of the list with the same filters, all of them. UTF-8 with a byte order mark, commas, quoted cells and CRLF. A text that a spreadsheet could take for a formula begins with an apostrophe; with `for=programs` it does not, so do not open such a file in a spreadsheet.',
    access: residentsReadAccess,
    params: BankParams,
    query: BankUsersExportQuery,
    response: download(['text/csv']),
    problemCodes: ['not-found', 'storage-busy'],
    run: ({ params: { bankKid }, query }, context) => exportBankUsers(context, { bankKid, query }),
  }),
  defineManagerOperation({
    ...common,
    id: 'CreateBankUser',
    method: 'POST',
    path: '/api/v1/banks/{bankKid}/users',
    summary: 'Create a resident',
    description:
      'Returns the workspace of the new resident, who has a new id of the bank and an activation code. `Location` is the URL of the workspace. If all ids of the bank (1001 to 99999) are used up, the response is 422 `bank-full`.',
    access: residentCreateAccess,
    params: BankParams,
    body: NewResident,
    response: jsonOf(ResidentWorkspace, {
      status: 201,
      locationOf: ({ user: { kid } }) => `/api/v1/banks/${parentKidOf(kid)}/users/${kid}`,
    }),
    validationProblem: { body: 'invalid-user' },
    problemCodes: ['not-found', 'invalid-user', 'user-exists', 'key-exists', 'bank-full'],
    localised: true,
    acceptsIdempotencyKey: true,
    run: ({ params: { bankKid }, body: resident }, context) => createBankUser(context, { bankKid, resident }),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetBankUserWorkspace',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/users/{userKid}',
    summary: 'Read a resident’s workspace',
    description:
      'The resident with keys, next bookings, and every command with the reason against it: a missing right, or the state of the resident.',
    access: residentsReadAccess,
    params: BankUserParams,
    response: jsonOf(ResidentWorkspace),
    problemCodes: ['not-found', 'invalid-user'],
    localised: true,
    run: ({ params }, context) => getBankUserWorkspace(context, params),
  }),
];

export const residentAdministrationRoutes = (dependencies: ResidentAdministrationDependencies): Operation[] => [
  ...operationsOnResidents,
  defineManagerOperation({
    ...common,
    id: 'ExecuteBankUserCommand',
    method: 'POST',
    path: '/api/v1/banks/{bankKid}/users/{userKid}/commands/{command}',
    summary: 'Change a resident',
    description:
      'Returns the workspace of the changed resident. A value that changes nothing leaves the revision unchanged. Delete hides the resident and releases the email address and the keys; Restore takes them back (409 if somebody else has one of them now) and leaves the resident disabled. RenewActivation replaces the activation code, at most ten times an hour, and needs User Create instead of User Write.',
    access: {
      ...residentWriteAccess,
      byParameter: { parameter: 'command', byWord: { RenewActivation: needsOf(residentCreateAccess) } },
    },
    params: BankUserCommandParams,
    body: ResidentChange,
    response: jsonOf(ResidentWorkspace),
    validationProblem: { body: 'invalid-user' },
    problemCodes: [
      'not-found',
      'invalid-user',
      'user-conflict',
      'user-exists',
      'key-exists',
      'command-not-allowed',
      'too-many-renewals',
    ],
    localised: true,
    acceptsIdempotencyKey: true,
    takesSecret: ({ params }) => params['command'] === ('SetPin' satisfies ResidentCommand),
    run: ({ params, body }, context) => executeBankUserCommand(context, { ...params, ...body }, dependencies),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetBankUserActivation',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/users/{userKid}/activation',
    summary: 'Read a resident’s activation code',
    description:
      'The code with which the resident takes over the account. It is valid until it is used or seven days old; RenewActivation replaces it, at most ten times an hour.',
    access: activationAccess,
    params: BankUserParams,
    response: jsonOf(ResidentActivation),
    holdsSecret: true,
    problemCodes: ['not-found', 'invalid-user', 'no-activation-code'],
    run: ({ params }, context) => getBankUserActivation(context, params, dependencies),
  }),
];
