import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { Json } from '@farlink/gateway/protocol/shape.ts';
import type { PortalDocument } from '@farlink/portal/document.ts';

const isNothing = (value: unknown) => value === '' || value === false;

/** An empty optional value is the same as a missing one. */
const plain = (key: string, value: unknown) => {
  if (key === 'hidden' || key === 'register' || key === 'link' || key === 'phone' || key === 'email')
    return isNothing(value) ? undefined : value;
  return key === 'heading' && Array.isArray(value) && value.every(isNothing) ? undefined : value;
};

/** Equal for documents that give equal pages. */
export const textOf = (doc: PortalDocument): string => {
  const value: Json = JSON.parse(JSON.stringify(doc, plain));
  return canonical(value);
};
