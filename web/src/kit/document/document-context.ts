import type { FileValue } from '@farlink/gateway/kit/rules.ts';
import { createContext, useContext } from 'react';
import type { PathErrors } from './validate-document.ts';
import type { Refs } from './value-text.ts';

/** Context of the controls of a document, at any depth. */
export interface DocumentControls {
  /** Prefix of the control ids. */
  readonly id: string;
  readonly refs: Refs;
  /** Errors of fields that the operator has left. */
  readonly errors: PathErrors;
  readonly leave: (path: string) => void;
  /** Whether this path has a stored secret that can be kept. */
  readonly isKept: (path: string) => boolean;
  /** The document is read-only. */
  readonly isReadOnly?: boolean;
  /** URL of a page, if the operator can open it. */
  readonly hrefOf?: ((page: string) => string | undefined) | undefined;
  /** Uploads a file for the gateway; without it, files cannot be chosen. */
  readonly upload?: ((file: File, path: string) => Promise<FileValue>) | undefined;
}

export const DocumentContext = createContext<DocumentControls>({
  id: 'doc',
  refs: {},
  errors: {},
  leave: () => {},
  isKept: () => false,
});

export const useDocumentContext = () => useContext(DocumentContext);

/** Control id of a path: `targets[0].host` is `doc-targets.0.host`. */
export const controlId = (context: Pick<DocumentControls, 'id'>, path: string) => `${context.id}-${path.replace(/\[(\w+)\]/g, '.$1')}`;
