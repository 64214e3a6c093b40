/** Depth limit, so callers may recurse. Forms and configurations are far less deep. */
const maxDepth = 32;

/**
 * Checks that an external value is safe to process: PostgreSQL rejects NUL and lone surrogates, and property names of Object.prototype
 * would be confused with own ones. Names inside a document are validated by its reader.
 */
export const isWellFormed = (value: unknown, isDocument = false, depth = 0): boolean => {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isWellFormed(item, isDocument, depth + 1));
  return Object.entries(value).every(
    ([name, item]) => (isDocument || !(name in Object.prototype)) && isWellFormed(name) && isWellFormed(item, isDocument, depth + 1),
  );
};
