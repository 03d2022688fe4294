// Creates an operation's parameters from the schemas that validate them.

import type { TObject, TSchema } from 'typebox';
import type { Operation } from '../operations/operation.ts';
import type { Components, Json } from './components.ts';
import type { Example } from './examples.ts';
import { headerParameters } from './headers.ts';

export function parametersOf(components: Components, operation: Operation, example: Example | undefined): Json[] {
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
