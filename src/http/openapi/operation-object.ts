// Creates the operation object of a document.

import type { TObject, TSchema } from 'typebox';
import type { Operation, OperationAccess } from '../operations/operation.ts';
import {
  acceptsServiceKey,
  accessForValue,
  needsByValue,
  needsOf,
  octetsMediaTypes,
} from '../operations/operation-properties.ts';
import type { Components, Json } from './components.ts';
import { readExample, type Example } from './examples.ts';
import { responsesOf } from './responses.ts';
import { headerParameters } from './headers.ts';

/** The media types that a request body may have. */
const requestBodyTypes: Readonly<Record<NonNullable<Operation['bodyFormat']> | 'json', readonly string[]>> = {
  json: ['application/json', 'text/json', 'application/*+json'],
  jsonl: ['application/jsonl'],
  octets: octetsMediaTypes,
};

export function createOperationObject(components: Components, operation: Operation): Json {
  const { id, group, summary, description } = operation;
  const example = readExample(id);
  const parameters = parametersOf(components, operation, example);
  return {
    operationId: id,
    tags: [group],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(operation.deprecation === undefined ? {} : { deprecated: true }),
    ...accessFields(components, operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyFields(components, operation, example),
    responses: responsesOf(components, operation, example),
  };
}

function accessFields(components: Components, operation: Operation): Json {
  if (operation.access === 'anyone') return { security: [] };
  if (operation.access === 'computer') {
    components.reference('securitySchemes', 'ComputerKey', () => computerKey);
    return { security: [{ ComputerKey: [] }] };
  }
  components.reference('securitySchemes', 'ManagerBearer', () => managerBearer);
  const { access } = operation;
  const security: Json[] = [{ ManagerBearer: [] }];
  if (acceptsServiceKey(operation)) {
    components.reference('securitySchemes', 'ServiceKey', () => serviceKey);
    security.push({ ServiceKey: [] });
  }
  return { security, ...needsFields(access), ...needsByParameterField(access) };
}

function needsFields(access: OperationAccess): Json {
  const { tabs, permissions, grantLevel } = needsOf(access);
  return { 'x-tabs': tabs, 'x-permissions': permissions, 'x-scope': grantLevel };
}

function needsByParameterField(access: OperationAccess): Json {
  if (access.byParameter === undefined) return {};
  const entries = Object.keys(needsByValue(access)).map((value) => [value, needsFields(accessForValue(access, value))]);
  return { 'x-needs-by-parameter': Object.fromEntries(entries) };
}

const managerBearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'The `accessToken` of LoginManager. It is valid for 12 hours, only on the host that issued it.',
};

const computerKey = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'ke_...',
  description:
    'The `key` that a computer gets when it enrols. It is valid only in the environment in which the enrolment code was made, and only for the units of the computer.',
};

const serviceKey = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'kt_...',
  description:
    'The `apiKey` of GenerateServiceApiKey, for the operations that SetServiceReadAccess grants. It can do no more than the manager who granted them, and is valid only in the environment in which it was made.',
};

function requestBodyFields(components: Components, operation: Operation, example: Example | undefined): Json {
  const { body } = operation;
  if (body === undefined) return {};
  const media = { schema: components.schema(body), ...requestBodyExample(components, operation, example) };
  const types = requestBodyTypes[operation.bodyFormat ?? 'json'];
  return {
    requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, media])) },
  };
}

/** The example of lines is the first one: the schema is that of a line. */
function requestBodyExample(components: Components, { id, bodyFormat }: Operation, example: Example | undefined): Json {
  const body = example?.request.body;
  const value = bodyFormat === 'jsonl' ? (body as readonly unknown[] | undefined)?.[0] : body;
  if (value === undefined) return {};
  return { examples: { recorded: components.reference('examples', `${id}Body`, () => ({ value })) } };
}

function parametersOf(components: Components, operation: Operation, example: Example | undefined): Json[] {
  return [
    ...pathParametersOf(components, operation, example),
    ...parametersIn(components, 'query', operation.query),
    ...headerParameters(components, operation),
  ];
}

const pathParametersOf = (components: Components, { params }: Operation, example: Example | undefined): Json[] =>
  parametersIn(components, 'path', params, example?.request.path);

type ParameterExamples = Readonly<Record<string, string>>;

function parametersIn(
  components: Components,
  parameterLocation: 'path' | 'query',
  schema: TObject | undefined,
  examples: ParameterExamples = {},
): Json[] {
  const required = new Set<string>(schema?.required ?? []);
  return Object.entries<TSchema>(schema?.properties ?? {}).map(([name, property]) => {
    const { description: ofUse, ...keywords } = components.schema(property);
    const description = ofUse ?? (property as { description?: string }).description;
    const example = examples[name];
    return {
      name,
      in: parameterLocation,
      required: parameterLocation === 'path' || (required.has(name) && !('default' in keywords)),
      ...(description === undefined ? {} : { description }),
      schema: keywords,
      ...(example === undefined ? {} : { example: isNumeric(keywords) ? Number(example) : example }),
    };
  });
}

const isNumeric = ({ type }: Json): boolean => type === 'integer' || type === 'number';
