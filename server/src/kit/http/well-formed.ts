/** Far more than any form or configuration has; whoever walks through a value may do so by calling himself. */
const mostDeep = 32;

/**
 * Whether a value that came from outside can be passed on as it is: PostgreSQL keeps neither NUL nor half a character, and a name that
 * every object has would be taken for the object's own. Whoever knows what a document holds judges its names himself.
 */
export const isWellFormed = (value: unknown, isDocument = false, depth = 0): boolean => {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depth > mostDeep) return false;
  if (Array.isArray(value)) return value.every((item) => isWellFormed(item, isDocument, depth + 1));
  return Object.entries(value).every(
    ([name, item]) => (isDocument || !(name in Object.prototype)) && isWellFormed(name) && isWellFormed(item, isDocument, depth + 1),
  );
};
