// The name of the field that an error of the service is about.

/** `body.value` is the field `value`. */
export const nameOfPath = (path: string): string => path.replace(/^(?:body|query|params)\./, '');
