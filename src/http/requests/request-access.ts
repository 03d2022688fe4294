// Finds the access that a request needs: if it depends on a parameter, the type of a KID or a word decides.

import type { FastifyRequest } from 'fastify';
import { parseKid, type KidType } from '../../lib/kid.ts';
import type { OperationAccess } from '../operations/operation.ts';
import { accessForValue } from '../operations/operation-properties.ts';
import { queryStringOf } from '../protocol/request-target.ts';
import { tenantHostOf } from './request-context.ts';

/** A value that the operation does not accept has the general needs: validation refuses it afterwards. */
export function accessOfRequest(access: OperationAccess, request: FastifyRequest): OperationAccess {
  const { byParameter } = access;
  if (byParameter === undefined) return access;
  const text = readParameter(byParameter, request);
  if ('byWord' in byParameter) return Object.hasOwn(byParameter.byWord, text) ? accessForValue(access, text) : access;
  const types = Object.keys(byParameter.byKidType) as KidType[];
  const kid = parseKid(text, tenantHostOf(request).tenant.name, types);
  return kid === undefined ? access : accessForValue(access, kid.type);
}

function readParameter(
  { parameter, ...rest }: NonNullable<OperationAccess['byParameter']>,
  request: FastifyRequest,
): string {
  if ('in' in rest) return new URLSearchParams(queryStringOf(request)).get(parameter) ?? '';
  const { [parameter]: text = '' } = request.params as Readonly<Record<string, string>>;
  return text;
}
