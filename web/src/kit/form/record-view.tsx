import type { Field, Fields } from '@farlink/contract/kit/field.ts';
import type { Page } from '@farlink/contract/kit/page.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { tips } from '../../ui/browser/tip.ts';
import '../../ui/styles/drawer.css';
import { valueAt } from '../../ui/format.ts';
import { t } from '../chrome/lang.ts';
import { fieldHref, fieldHrefs } from '../list/field-href.ts';
import { FieldText } from '../list/field-text.tsx';
import { useReveal } from '../list/use-reveal.ts';
import { useMe } from '../net/session.ts';
import { isShown } from './form-values.ts';

interface RecordViewProps {
  /** The page whose `reveal` call shows masked fields. */
  readonly page?: Pick<Page, 'reveal'>;
  readonly fields: Fields;
  readonly record: Values;
  readonly scope?: Values;
  /** A grid for a page; a single column for a panel. */
  readonly isGrid?: boolean;
}

/** The id and the lock version are hidden; the version of a firmware is shown. */
const isUnseen = (name: string, field: Field) => name === 'id' || (name === 'version' && field.kind === 'int');

/** All fields of one record. Of two fields with the same label (an id and its name) only the first is shown. */
export const RecordView = ({ page = {}, fields, record, scope = {}, isGrid = false }: RecordViewProps) => {
  const me = useMe();
  const reveal = useReveal(page);
  const labels = new Set<string>();
  const shown = Object.entries(fields).filter(([name, field]) => {
    const label = t(field.label);
    const isNew = !labels.has(label) && !isUnseen(name, field) && isShown(field, record);
    labels.add(label);
    return isNew && field.kind !== 'password' && field.kind !== 'options';
  });
  const { id } = record;
  return (
    <dl className={isGrid ? 'record-grid' : 'record-view'} {...tips}>
      {shown.map(([name, field]) => (
        <div key={name} data-kind={field.kind}>
          <dt>{t(field.label)}</dt>
          <dd>
            <FieldText
              field={field}
              value={valueAt(record, name)}
              scope={scope}
              href={field.kind === 'tags' ? undefined : fieldHref(field, record, me)}
              hrefs={fieldHrefs(field, valueAt(record, name), record, me)}
              reveal={reveal && typeof id === 'number' ? () => reveal(id, name) : undefined}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
};
