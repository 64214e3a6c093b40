import type { Text } from '@farlink/contract/kit/text.ts';
import { type ReactNode, useEffect, useId } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { controlId } from '../../../kit/document/document-context.ts';
import { DocumentFields } from '../../../kit/document/document-fields.tsx';
import { fieldPathText } from '../../../kit/document/field-path.ts';
import { useDocument } from '../../../kit/document/use-document.ts';
import { secretPaths, validateDocument } from '../../../kit/document/validate-document.ts';
import { focusControl } from '../../../kit/form/use-submit.ts';
import { useReported } from '../live/use-reported.tsx';
import { OriginMark } from './origin-mark.tsx';
import { refusedAt } from './refused-at.ts';
import { SaveStatus } from './save-status.tsx';
import { type Handle, type SectionProps, uploadOf } from './section.ts';
import { useSection } from './use-section.ts';

const texts = {
  wrong: ['{0} 项需要修改，草稿尚未保存', 'Fields to correct: {0}. The draft is not saved yet.'],
} as const satisfies Record<string, Text>;

interface SectionFormProps extends SectionProps {
  readonly head: (handle: Handle) => ReactNode;
}

/** A form page. Valid values are saved as a draft automatically; invalid ones show errors. */
export const SectionForm = ({ deviceId, page, data, hrefOf, at, head }: SectionFormProps) => {
  const id = useId();
  const kept = secretPaths(page, data.doc, data.draft?.doc, data.local);
  const isKept = (path: string) => kept.has(path);
  const section = useSection(deviceId, page, data, (values) => {
    const { doc, errors } = validateDocument(page.fields, values, isKept);
    return Object.keys(errors).length === 0 ? doc : undefined;
  });
  const refused = section.state === 'same' ? refusedAt(page, data) : {};
  const state = useDocument(page.fields, section.values, isKept, { ...refused, ...section.served });
  const wrong = Object.keys({ ...state.errors, ...section.served });
  const reported = useReported(deviceId, page);
  const isChanged = section.state !== 'same';
  const focusField = (path: string) => {
    state.showAll();
    focusControl(controlId({ id }, path));
  };

  useEffect(() => {
    if (at !== null) focusControl(controlId({ id }, at));
  }, [id, at]);

  const mark = (name: string) => <OriginMark origin={data.origins[name]} />;
  return (
    <>
      {head({
        status: (
          <>
            {reported.control}
            {isChanged && <SaveStatus state={section.state} isWrong={wrong.length > 0} />}
          </>
        ),
        isDirty: isChanged,
        set: section.set,
        discard: section.discard,
      })}
      {isChanged && wrong.length > 0 && (
        <div className="flow config-wrong" role="status">
          <span>{t(texts.wrong, wrong.length)}</span>
          {section.served[''] && <span>{section.served['']}</span>}
          {wrong
            .filter(Boolean)
            .slice(0, 6)
            .map((path) => (
              <button key={path} type="button" className="act" onClick={() => focusField(path)}>
                {fieldPathText(page, path)}
              </button>
            ))}
        </div>
      )}
      <form noValidate aria-label={t(page.title)} onSubmit={(e) => e.preventDefault()} onBlur={section.left}>
        <DocumentFields
          id={id}
          fields={page.fields}
          values={section.values}
          onPut={section.put}
          state={state}
          refs={data.refs}
          isKept={isKept}
          isReadOnly={!data.writable}
          base={section.base}
          inherited={data.inherited}
          reported={reported.rows.get('')}
          mark={mark}
          hrefOf={hrefOf}
          upload={uploadOf(deviceId, page.key)}
        />
      </form>
    </>
  );
};
