// Makes an operation's parameters from the schemas that validate them.

import type { TObject, TSchema } from 'typebox';
import type { Operation } from '../operation.ts';
import type { Components, Json } from './components.ts';
import type { Example } from './examples.ts';
import { headerParameters } from './headers.ts';

export function parametersOf(components: Components, operation: Operation, example: Example | undefined): Json[] {
  return [
    ...parametersIn(components, 'path', operation.params, example?.request.path),
    ...parametersIn(components, 'query', operation.query),
    ...headerParameters(components, operation),
  ];
}

type ParameterExamples = Readonly<Record<string, unknown>>;

function parametersIn(
  components: Components,
  parameterLocation: 'path' | 'query',
  schema: TObject | undefined,
  examples: ParameterExamples = {},
): Json[] {
  const required = new Set<string>(schema?.required ?? []);
  return Object.entries<TSchema>(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...keywords } = components.schema(property);
    return {
      name,
      in: parameterLocation,
      required: parameterLocation === 'path' || (required.has(name) && !('default' in keywords)),
      ...(description === undefined ? {} : { description }),
      schema: keywords,
      ...(name in examples ? { example: examples[name] } : {}),
    };
  });
}
