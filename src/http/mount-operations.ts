// Mounts operations as routes: for each the guard (token, limits, rights), then its handler.

import type { FastifyInstance, HTTPMethods } from 'fastify';
import { createGuard } from './context/guard.ts';
import { createDownloadPlaces } from './download-places.ts';
import type { HttpDependencies } from './http-dependencies.ts';
import { createImageHandler } from './image-handler.ts';
import { addOptionsRoute } from './options-route.ts';
import { createOperationHandler } from './operation-handler.ts';
import { defaultMaxBodyBytes, isImageOperation } from './operation-properties.ts';
import type { Operation } from './operation.ts';
import { toRouterPath } from './router-path.ts';
import { RunningKeys } from './running-keys.ts';
import { createSchemaCompiler, createValidator } from './validation.ts';

export function mountOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  dependencies: HttpDependencies,
): void {
  const compile = createSchemaCompiler();
  const handlerDependencies = {
    ...dependencies,
    runningKeys: new RunningKeys(),
    downloadPlaces: createDownloadPlaces(),
  };
  const methodsByUrl = new Map<string, HTTPMethods[]>();
  for (const operation of operations) {
    const url = toRouterPath(operation.path);
    methodsByUrl.set(url, [...(methodsByUrl.get(url) ?? []), operation.method]);
    const validate = createValidator(operation, compile);
    app.route({
      method: operation.method,
      url,
      bodyLimit: operation.maxBodyBytes ?? defaultMaxBodyBytes,
      config: { operationId: operation.id, replacedProblems: operation.replacedProblems },
      onRequest: createGuard(operation, dependencies),
      handler: isImageOperation(operation)
        ? createImageHandler(operation, validate)
        : createOperationHandler(operation, validate, handlerDependencies),
    });
  }
  for (const [url, methods] of methodsByUrl) addOptionsRoute(app, url, methods);
}
