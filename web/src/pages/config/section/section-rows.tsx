import type { Values } from '@farlink/contract/kit/values.ts';
import { rowsOf } from '@farlink/gateway/kit/document.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { colon } from '../../../kit/chrome/lang.ts';
import { fieldPathText } from '../../../kit/document/field-path.ts';
import { RowsEditor } from '../../../kit/document/rows-editor.tsx';
import { documentOf, secretPaths } from '../../../kit/document/validate-document.ts';
import { useEdits } from '../apply/edits.ts';
import { useReported } from '../live/use-reported.tsx';
import { OriginMark } from './origin-mark.tsx';
import { refusedAt } from './refused-at.ts';
import { SaveStatus } from './save-status.tsx';
import { type Handle, type SectionProps, uploadOf } from './section.ts';
import { useSection } from './use-section.ts';

interface SectionRowsProps extends SectionProps {
  readonly head: (handle: Handle) => ReactNode;
}

/** The row form has validated each row; the server validates them together. */
const rowsDocument = (values: Values) => ({ rows: rowsOf(documentOf(values)) });

/** A list page. */
export const SectionRows = ({ deviceId, page, data, hrefOf, at, head }: SectionRowsProps) => {
  const section = useSection(deviceId, page, data, rowsDocument);
  const edits = useEdits();
  const kept = secretPaths(page, data.doc, data.draft?.doc, data.local);
  const reported = useReported(deviceId, page);
  const errors = section.state === 'same' ? refusedAt(page, data) : section.served;
  const wrong = Object.entries(section.served);
  const isChanged = section.state !== 'same';
  return (
    <>
      {head({
        status: (
          <>
            {reported.control}
            {isChanged && <SaveStatus state={section.state} isWrong={Object.keys(section.served).length > 0} />}
          </>
        ),
        isDirty: isChanged,
        set: section.set,
        discard: section.discard,
      })}
      {wrong.length > 0 && (
        <div className="flow config-wrong" role="alert">
          {wrong.slice(0, 6).map(([path, text]) => (
            <Link key={path} to={`?page=${page.key}&at=${encodeURIComponent(path)}`} replace>
              {fieldPathText(page, path)}
              {colon}
              {text}
            </Link>
          ))}
        </div>
      )}
      <RowsEditor
        key={at}
        openAt={at}
        page={page}
        rows={rowsOf(documentOf(section.values))}
        onChange={(rows) => {
          section.set({ rows });
          section.left();
        }}
        base={rowsOf(section.base)}
        inherited={rowsOf(documentOf(data.inherited))}
        refs={data.refs}
        isReadOnly={!data.writable}
        isKept={(path) => kept.has(path)}
        errors={errors}
        reported={reported.rows}
        onUnstored={edits.setUnstored}
        markRow={(key) => <OriginMark origin={data.origins[key]} />}
        markField={(key, name) => <OriginMark origin={data.origins[`${key}.${name}`]} />}
        hrefOf={hrefOf}
        upload={uploadOf(deviceId, page.key)}
      />
    </>
  );
};
