// Finds what a request needs: where the needs depend on the path, the type of its KID decides, or a word.

import type { FastifyRequest } from 'fastify';
import { parseKid, type KidType } from '../../lib/kid.ts';
import type { OperationAccess } from '../operation.ts';
import { accessForValue } from '../operation-properties.ts';
import { tenantHostOf } from './request-context.ts';

/** What the operation does not take needs what everything does: validation refuses it afterwards. */
export function accessOfRequest(access: OperationAccess, request: FastifyRequest): OperationAccess {
  const { byParameter } = access;
  if (byParameter === undefined) return access;
  const { [byParameter.parameter]: text = '' } = request.params as Readonly<Record<string, string>>;
  if ('byWord' in byParameter) return Object.hasOwn(byParameter.byWord, text) ? accessForValue(access, text) : access;
  const types = Object.keys(byParameter.byKidType) as KidType[];
  const kid = parseKid(text, tenantHostOf(request).tenant.name, types);
  return kid === undefined ? access : accessForValue(access, kid.type);
}
