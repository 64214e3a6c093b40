import type { FileValue } from '@farlink/gateway/kit/rules.ts';
import { createContext, useContext } from 'react';
import type { PathErrors } from './validate-document.ts';
import type { Refs } from './value-text.ts';

/** What the controls of a document share, however deep they stand in it. */
export interface DocumentControls {
  /** The ids of the controls begin with it. */
  readonly id: string;
  readonly refs: Refs;
  /** Refusals of what the operator has left already. */
  readonly errors: PathErrors;
  readonly leave: (path: string) => void;
  /** Whether there is a secret at this path that may be kept. */
  readonly isKept: (path: string) => boolean;
  /** It is looked at only. */
  readonly isReadOnly?: boolean;
  /** Where a page opens, for whoever may open it. */
  readonly hrefOf?: ((page: string) => string | undefined) | undefined;
  /** Puts a file where the gateway will fetch it; without it files cannot be chosen. */
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

/** The id of the control of a path: `targets[0].host` is `doc-targets.0.host`. */
export const controlId = (context: Pick<DocumentControls, 'id'>, path: string) => `${context.id}-${path.replace(/\[(\w+)\]/g, '.$1')}`;
