// The access that the operations on commands of units declare.

import { setUnitSettingAccess, unitReadAccess } from '../units/access.ts';

export const commandsReadAccess = unitReadAccess;
export const commandSendAccess = setUnitSettingAccess;
