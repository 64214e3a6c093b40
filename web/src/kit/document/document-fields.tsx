import { type ComponentProps, useId } from 'react';
import { tips } from '../../ui/browser/tip.ts';
import { DocumentContext, type DocumentControls } from './document-context.ts';
import { FieldsGrid } from './fields-grid.tsx';
import type { DocumentState } from './use-document.ts';
import type { Refs } from './value-text.ts';

interface DocumentFieldsProps extends Omit<ComponentProps<typeof FieldsGrid>, 'at'>, Pick<DocumentControls, 'hrefOf' | 'upload'> {
  readonly state: Pick<DocumentState, 'shown' | 'leave'>;
  /** Prefix of the control ids; default: a generated id. */
  readonly id?: string;
  readonly refs?: Refs;
  readonly isKept?: DocumentControls['isKept'];
  readonly isReadOnly?: boolean;
}

const none: Refs = {};
const never = () => false;

/** The fields of a document as a form, or a part of one. */
export const DocumentFields = (props: DocumentFieldsProps) => {
  const { state, id, refs = none, isKept = never, isReadOnly = false, hrefOf, upload, ...grid } = props;
  const own = useId();
  const context: DocumentControls = { id: id ?? own, refs, errors: state.shown, leave: state.leave, isKept, isReadOnly, hrefOf, upload };
  return (
    <DocumentContext value={context}>
      <fieldset className="doc-fields" disabled={isReadOnly} {...tips}>
        <FieldsGrid {...grid} at="" />
      </fieldset>
    </DocumentContext>
  );
};
