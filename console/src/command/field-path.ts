// The name of the field that an error of the service is about.

/** `body.value` is the field `value`. */
export const nameOfPath = (path: string): string => path.replace(/^(?:body|query|params)\./, '');

/** Whether it is about the field, or about a part of its value: `body.document.columns[2]` is in `document`. */
export const isInField = (path: string, name: string): boolean => {
  const named = nameOfPath(path);
  return named.startsWith(name) && /^(?:[.[]|$)/.test(named.slice(name.length));
};
