// Declares GetBankUsers, ExportBankUsers, CreateBankUser, GetBankUserWorkspace, ExecuteBankUserCommand and
// GetBankUserActivation.

import { defineManagerOperation, type Operation } from '../../http/operation.ts';
import { needsOf } from '../../http/operation-properties.ts';
import type { PasswordHasher } from '../credentials/password-hasher.ts';
import { activationAccess, residentCreateAccess, residentsReadAccess, residentWriteAccess } from './access.ts';
import { createBankUser } from './operations/create-bank-user.ts';
import { executeBankUserCommand } from './operations/execute-bank-user-command.ts';
import { exportBankUsers } from './operations/export-bank-users.ts';
import { getBankUserActivation, type ActivationDependencies } from './operations/get-bank-user-activation.ts';
import { getBankUserWorkspace } from './operations/get-bank-user-workspace.ts';
import { getBankUsers } from './operations/get-bank-users.ts';
import type { ResidentCommand } from './rules/commands.ts';
import {
  ActivationAnswer,
  BankUserCommandBody,
  BankUserCommandParams,
  BankUserParams,
  BankUsersAnswer,
  BankUsersExportQuery,
  BankUsersParams,
  BankUsersQuery,
  CreateBankUserBody,
  Workspace,
} from './schemas.ts';

const common = { documents: ['portal'], group: 'Residents', deadlineMs: 10_000 } as const;

const getBankUsersOperation = defineManagerOperation({
  ...common,
  id: 'GetBankUsers',
  method: 'GET',
  path: '/api/v1/banks/{bankKid}/users',
  summary: 'List a bank’s residents',
  description:
    'A grant for some locations shows their residents alone. Residents whose identity has expired are never listed, deleted ones as far as the manager’s RetentionDays shows them. Names and apartments are sorted without case and accents, and the numbers in them by value.',
  access: residentsReadAccess,
  params: BankUsersParams,
  query: BankUsersQuery,
  response: BankUsersAnswer,
  problemCodes: ['not-found'],
  run: ({ params: { bankKid }, query }, context) => getBankUsers(context, { bankKid, query }),
});

const exportBankUsersOperation = defineManagerOperation({
  ...common,
  documents: ['downloads'],
  id: 'ExportBankUsers',
  method: 'GET',
  path: '/api/v1/banks/{bankKid}/users/export.csv',
  summary: 'Download a bank’s residents as CSV',
  description:
    'The residents of the list with the same filters, at most 10,000. UTF-8 with a byte order mark, commas, quoted cells and CRLF; a text that a spreadsheet could take for a formula begins with an apostrophe.',
  access: residentsReadAccess,
  params: BankUsersParams,
  query: BankUsersExportQuery,
  downloadTypes: ['text/csv'],
  problemCodes: ['not-found', 'export-too-large', 'storage-busy'],
  run: ({ params: { bankKid }, query }, context) => exportBankUsers(context, { bankKid, query }),
});

const createBankUserOperation = defineManagerOperation({
  ...common,
  id: 'CreateBankUser',
  method: 'POST',
  path: '/api/v1/banks/{bankKid}/users',
  summary: 'Create a resident',
  description:
    'Returns the workspace of the new resident, who has a new id of the bank and an activation code. `Location` is the address of the workspace. A bank whose ids (1001 to 99999) are used up answers `bank-full`.',
  access: residentCreateAccess,
  params: BankUsersParams,
  body: CreateBankUserBody,
  response: Workspace,
  status: 201,
  locationOf: ({ user: { kid } }: Workspace) => `/api/v1/banks/${kid.replace(/-R\d+$/, '')}/users/${kid}`,
  validationProblem: { body: 'invalid-user' },
  problemCodes: ['not-found', 'invalid-user', 'user-exists', 'bank-full'],
  localised: true,
  acceptsIdempotencyKey: true,
  run: ({ params: { bankKid }, body: resident }, context) => createBankUser(context, { bankKid, resident }),
});

const getBankUserWorkspaceOperation = defineManagerOperation({
  ...common,
  id: 'GetBankUserWorkspace',
  method: 'GET',
  path: '/api/v1/banks/{bankKid}/users/{userKid}',
  summary: 'Read a resident’s workspace',
  description:
    'The resident with keys, next bookings, and every command with the reason against it: a missing right, or the state of the resident.',
  access: residentsReadAccess,
  params: BankUserParams,
  response: Workspace,
  problemCodes: ['not-found', 'invalid-user'],
  localised: true,
  run: ({ params }, context) => getBankUserWorkspace(context, params),
});

const createCommandOperation = (dependencies: { readonly passwordHasher: PasswordHasher }): Operation =>
  defineManagerOperation({
    ...common,
    id: 'ExecuteBankUserCommand',
    method: 'POST',
    path: '/api/v1/banks/{bankKid}/users/{userKid}/commands/{command}',
    summary: 'Change a resident',
    description:
      'Returns the workspace as it is afterwards. A value that changes nothing leaves the revision as it is. Delete hides the resident and releases the email address and the keys; Restore takes them back (409 if somebody else has one of them now) and leaves the resident disabled. RenewActivation replaces the activation code, and needs User Create in place of User Write.',
    access: {
      ...residentWriteAccess,
      byParameter: { parameter: 'command', byWord: { RenewActivation: needsOf(residentCreateAccess) } },
    },
    params: BankUserCommandParams,
    body: BankUserCommandBody,
    response: Workspace,
    validationProblem: { body: 'invalid-user' },
    problemCodes: ['not-found', 'invalid-user', 'user-conflict', 'user-exists', 'key-exists', 'command-not-allowed'],
    localised: true,
    acceptsIdempotencyKey: true,
    takesSecret: ({ params }) => params['command'] === ('SetPin' satisfies ResidentCommand),
    run: ({ params, body }, context) => executeBankUserCommand(context, { ...params, ...body }, dependencies),
  });

const createActivationOperation = (dependencies: ActivationDependencies): Operation =>
  defineManagerOperation({
    ...common,
    id: 'GetBankUserActivation',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/users/{userKid}/activation',
    summary: 'Read a resident’s activation code',
    description:
      'The code with which the resident takes over the account. It stands until it is used, or seven days old; RenewActivation replaces it, ten times an hour at most.',
    access: activationAccess,
    params: BankUserParams,
    response: ActivationAnswer,
    holdsSecret: true,
    problemCodes: ['not-found', 'invalid-user', 'no-activation-code'],
    run: ({ params }, context) => getBankUserActivation(context, params, dependencies),
  });

export type ResidentAdministrationDependencies = ActivationDependencies & { readonly passwordHasher: PasswordHasher };

export const residentAdministrationRoutes = (dependencies: ResidentAdministrationDependencies): Operation[] => [
  getBankUsersOperation,
  exportBankUsersOperation,
  createBankUserOperation,
  getBankUserWorkspaceOperation,
  createCommandOperation(dependencies),
  createActivationOperation(dependencies),
];
