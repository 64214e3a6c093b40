import type { PortalDetail } from '@farlink/contract/market/portal.ts';
import type { PortalImage } from '@farlink/portal/document.ts';
import { createContext, useContext } from 'react';
import type { Fault } from './document-faults.ts';
import type { ShownLangs } from './text-pair.tsx';
import type { Editor } from './use-editor.ts';

/** What the property controls share. */
export interface EditorTools {
  readonly editor: Editor;
  readonly portal: Pick<PortalDetail, 'id' | 'template'>;
  readonly faults: readonly Fault[];
  readonly shown: ShownLangs;
  /** URL of an uploaded image. */
  readonly imageUrl: (image: PortalImage) => string;
}

export const EditorContext = createContext<EditorTools | null>(null);

export const useEditorTools = (): EditorTools => {
  const tools = useContext(EditorContext);
  if (!tools) throw new Error('useEditorTools outside of EditorContext');
  return tools;
};
