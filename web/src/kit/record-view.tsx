import type { Fields, Values } from '@farlink/contract/kit/field.ts';
import { tips } from '../ui/tip.ts';
import '../ui/drawer.css';
import { valueAt } from '../ui/format.ts';
import { FieldText } from './field-text.tsx';
import { isShown } from './form-values.ts';
import { t } from './lang.ts';

interface RecordViewProps {
  readonly fields: Fields;
  readonly record: Values;
  readonly scope?: Values;
}

const unseen = ['id', 'version'];

/** All of one record. Two fields of one label are one thing seen twice (an id and its name): the first is enough. */
export const RecordView = ({ fields, record, scope = {} }: RecordViewProps) => {
  const labels = new Set<string>();
  const shown = Object.entries(fields).filter(([name, field]) => {
    const label = t(field.label);
    const isNew = !labels.has(label) && !unseen.includes(name) && isShown(field, record);
    labels.add(label);
    return isNew && field.kind !== 'password' && field.kind !== 'options';
  });
  return (
    <dl className="record-view" {...tips}>
      {shown.map(([name, field]) => (
        <div key={name}>
          <dt>{t(field.label)}</dt>
          <dd>
            <FieldText field={field} value={valueAt(record, name)} scope={scope} />
          </dd>
        </div>
      ))}
    </dl>
  );
};
