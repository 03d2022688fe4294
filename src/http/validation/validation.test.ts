// Validation turns the text of a request into typed input: KIDs in all three parts, names and types of a query, and the
// errors of what is not valid.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Type } from 'typebox';
import { Problem } from '../../lib/problem.ts';
import { closedObject, int32, kidInput } from '../schemas/schema-types.ts';
import { definePublicOperation } from '../operations/operation.ts';
import { noContent } from '../operations/response.ts';
import { createSchemaCompiler, createValidator } from './validation.ts';

const operation = definePublicOperation({
  id: 'Try',
  method: 'POST',
  path: '/api/v1/try/{bankKid}',
  openApiDocuments: ['public'],
  group: 'Try',
  summary: 'Tries input',
  params: closedObject({ bankKid: kidInput('bank') }),
  query: closedObject({
    Limit: int32({ minimum: 1, maximum: 200, default: 50, description: 'Rows.' }),
    Exact: Type.Optional(Type.Boolean()),
    placeKid: Type.Optional(kidInput('location', 'unit')),
    Text: Type.Optional(Type.String({ maxLength: 8 })),
  }),
  body: closedObject({
    locationKid: Type.Optional(kidInput('location')),
    transactionKid: Type.Optional(kidInput('posting')),
    name: Type.Optional(Type.String()),
  }),
  response: noContent,
  deadlineMs: 1000,
  run: () => undefined,
});
const tenant = { name: 'sund', country: 'DK' };
const validate = createValidator(operation, createSchemaCompiler());

type GivenInput = { readonly bankKid?: string; readonly search?: string; readonly body?: unknown };

const readInput = ({ bankKid = 'sund-B1001', search = '', body = {} }: GivenInput) =>
  validate({ params: { bankKid }, search, body }, tenant);

/** The code of a refusal and the paths of its errors. */
function readProblem(given: GivenInput): string {
  try {
    readInput(given);
  } catch (error) {
    assert.ok(error instanceof Problem);
    const { errors = [], detail } = error.details;
    assert.equal(detail, `${errors[0]?.path} ${errors[0]?.message}`);
    return `${error.code} ${errors.map(({ path }) => path).join()}`;
  }
  return 'taken';
}

test('[kid.03] a KID of another tenant is accepted in no path, no query and no body', () => {
  assert.equal(readProblem({ bankKid: 'fjord-B1001' }), 'invalid-kid path.bankKid');
  assert.equal(readProblem({ search: 'placeKid=fjord-B1001-L1' }), 'invalid-kid query.placeKid');
  assert.equal(readProblem({ body: { locationKid: 'fjord-B1001-L1' } }), 'invalid-kid body.locationKid');
  assert.equal(
    readProblem({ body: { transactionKid: 'fjord-B1001-X1', name: 'x' } }),
    'invalid-kid body.transactionKid',
  );
  // A KID whose tenant only begins like this one is refused too.
  assert.equal(readProblem({ body: { locationKid: 'sundby-B1001-L1' } }), 'invalid-kid body.locationKid');
});

test('[kid.06] a malformed KID, and one of another type, are refused wherever they are', () => {
  for (const kid of ['', 'x', 'sund', 'SUND-B1001', 'sund-B1001-', 'sund-B01001', 'sund-B1001-U1', 'sund-M1001']) {
    assert.equal(readProblem({ bankKid: kid }), 'invalid-kid path.bankKid', kid);
    assert.equal(readProblem({ search: `placeKid=${kid}` }), 'invalid-kid query.placeKid', kid);
    assert.equal(readProblem({ body: { locationKid: kid } }), 'invalid-kid body.locationKid', kid);
  }
});

test('the input has parsed KIDs in each part, and the received body stays unchanged', () => {
  const body = {
    locationKid: 'sund-B1001-L2',
    transactionKid: 'sund-B1001-X9223372036854775807',
    name: 'sund-B1001-L2',
  };
  const kept = structuredClone(body);
  const input = readInput({ search: 'PLACEKID=sund-B1001-L2-U3', body });
  assert.deepEqual(input.params, { bankKid: { type: 'bank', tenant: 'sund', bankId: 1001 } });
  assert.deepEqual(input.query, {
    Limit: 50,
    placeKid: { type: 'unit', tenant: 'sund', bankId: 1001, locationId: 2, unitId: 3 },
  });
  assert.deepEqual(input.body, {
    locationKid: { type: 'location', tenant: 'sund', bankId: 1001, locationId: 2 },
    transactionKid: { type: 'posting', tenant: 'sund', bankId: 1001, postingId: 2n ** 63n - 1n },
    name: 'sund-B1001-L2',
  });
  assert.deepEqual(body, kept);
});

test('a wrong KID in the path precedes all other errors; elsewhere it is one error of several', () => {
  assert.equal(readProblem({ bankKid: 'x', search: 'Limit=0' }), 'invalid-kid path.bankKid,query.Limit');
  assert.equal(readProblem({ search: 'Limit=0&placeKid=x' }), 'invalid-request query.placeKid,query.Limit');
  assert.equal(readProblem({ search: 'placeKid=x', body: { other: 1 } }), 'invalid-request query.placeKid,body.other');
});

test('[general.30, general.40] an integer is accepted exactly if its decimal spelling is canonical and in range', () => {
  const nearlyNumber = fc.stringMatching(/^[-+ ]?[0-9]{0,4}[.eE]?[0-9]{0,2}$/);
  fc.assert(
    fc.property(
      fc.oneof(fc.integer().map(String), fc.integer({ min: -5, max: 250 }).map(String), nearlyNumber),
      (text) => {
        const number = Number(text);
        const fits = String(number) === text && Number.isInteger(number) && number >= 1 && number <= 200;
        const search = new URLSearchParams({ Limit: text }).toString();
        if (fits) assert.equal(readInput({ search }).query['Limit'], number);
        else assert.equal(readProblem({ search }), 'invalid-request query.Limit');
      },
    ),
    { numRuns: 500 },
  );
});

test('[general.39, general.40] each name is accepted once, in any case; every other name is refused', () => {
  const names = ['Limit', 'Exact', 'placeKid', 'Text'];
  const known = new Set(names.map((name) => name.toLowerCase()));
  const name = fc.oneof(
    fc.constantFrom(...names).chain((each) => fc.mixedCase(fc.constant(each))),
    fc.string({ maxLength: 6 }),
    fc.constantFrom('__proto__', 'constructor'),
  );
  const good: Record<string, string> = { limit: '7', exact: 'true', placekid: 'sund-B1-L1', text: 'x' };
  fc.assert(
    fc.property(fc.array(name, { maxLength: 5 }), (given) => {
      const lower = given.map((each) => each.toLowerCase());
      const fits = lower.every((each) => known.has(each)) && new Set(lower).size === lower.length;
      const search = given.map((each) => `${encodeURIComponent(each)}=${good[each.toLowerCase()] ?? 1}`).join('&');
      // An empty piece between two ampersands is not a parameter.
      assert.equal(readProblem({ search }) === 'taken', fits, search);
    }),
    { numRuns: 500 },
  );
});

test('[general.35] at most twenty errors are listed, and none repeats a wrong value', () => {
  const secret = 'do-not-repeat-me';
  try {
    const search = Array.from({ length: 100 }, (_, index) => `n${index}=${secret}`).join('&');
    readInput({ search: `Limit=${secret}&Text=${secret}&${search}`, body: { name: [secret] } });
    assert.fail('it was taken');
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.equal(error.details.errors?.length, 20);
    assert.ok(!JSON.stringify(error.details).includes(secret));
  }
});

test('a part of the request may have its own code, also for its KIDs; the first part with an error decides', () => {
  const own = createValidator(
    { ...operation, validationProblem: { path: 'invalid-user', query: 'invalid-page' } },
    createSchemaCompiler(),
  );
  const codeOf = ({ bankKid = 'sund-B1001', search = '', body = {} }: GivenInput): string => {
    try {
      own({ params: { bankKid }, search, body }, tenant);
    } catch (error) {
      assert.ok(error instanceof Problem);
      return error.code;
    }
    return 'taken';
  };
  assert.equal(codeOf({}), 'taken');
  assert.equal(codeOf({ bankKid: 'fjord-B1001' }), 'invalid-user');
  assert.equal(codeOf({ bankKid: `sund-B1001${'0'.repeat(2048)}` }), 'invalid-user');
  assert.equal(codeOf({ search: 'Limit=0' }), 'invalid-page');
  assert.equal(codeOf({ search: 'nothing=1' }), 'invalid-page');
  assert.equal(codeOf({ search: 'placeKid=fjord-B1001-L1' }), 'invalid-page');
  assert.equal(codeOf({ bankKid: 'fjord-B1001', search: 'Limit=0', body: { name: 1 } }), 'invalid-user');
  // A part without its own code gets the general one.
  assert.equal(codeOf({ body: { name: 1 } }), 'invalid-request');
  assert.equal(codeOf({ body: { locationKid: 'fjord-B1001-L1' } }), 'invalid-kid');
});
