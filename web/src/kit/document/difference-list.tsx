import type { DifferenceView } from '@farlink/contract/config/config.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { ReactNode } from 'react';
import { Tag } from '../../ui/native/tag.tsx';
import { t } from '../chrome/lang.ts';
import { type DifferenceLine, differenceLines, rowSummary } from './difference-lines.ts';
import './difference.css';
import type { Refs } from './value-text.ts';
import { valueText } from './value-text.ts';

const texts = {
  before: ['修改前', 'Before'],
  after: ['修改后', 'After'],
  field: ['配置项', 'Setting'],
  added: ['新增', 'Added'],
  removed: ['删除', 'Removed'],
  changed: ['修改', 'Changed'],
  secret: ['已变更', 'Changed'],
  none: ['没有差异', 'No differences'],
  more: ['另有 {0} 处差异未列出', '{0} more differences not listed'],
} as const satisfies Record<string, Text>;

const kinds = {
  added: { label: texts.added, color: 'green' },
  removed: { label: texts.removed, color: 'red' },
  changed: { label: texts.changed, color: 'blue' },
} as const;

const maxDifferences = 300;
const maxNestedLines = 40;

interface DifferenceListProps {
  readonly page: GatewayPage;
  readonly differences: readonly DifferenceView[];
  readonly refs?: Refs | undefined;
  readonly before?: Text;
  readonly after?: Text;
  /** Labels for values that exist on one side only. */
  readonly added?: Text;
  readonly removed?: Text;
}

const none: Refs = {};

/** Changed values line by line, with the labels of the page. A secret shows only that it changed. */
export const DifferenceList = (props: DifferenceListProps) => {
  const { page, differences, refs = none, before = texts.before, after = texts.after } = props;
  const called = {
    ...kinds,
    added: { ...kinds.added, label: props.added ?? texts.added },
    removed: { ...kinds.removed, label: props.removed ?? texts.removed },
  };
  if (differences.length === 0) return <p className="muted">{t(texts.none)}</p>;
  const sides = (field: Field | undefined, line: DifferenceLine): ReactNode => {
    if (!field)
      return (
        <td colSpan={2} className="muted">
          {rowSummary(page, isRecord(line.after) ? line.after : isRecord(line.before) ? line.before : {}, refs)}
        </td>
      );
    if (field.secret)
      return (
        <td colSpan={2} className="muted">
          {t(texts.secret)}
        </td>
      );
    return (
      <>
        <td className="muted diff-before">{valueText(field, line.before, refs, maxNestedLines)}</td>
        <td>{valueText(field, line.after, refs, maxNestedLines)}</td>
      </>
    );
  };
  return (
    <>
      <table className="diff">
        <thead>
          <tr>
            <td />
            <th scope="col">{t(texts.field)}</th>
            <th scope="col">{t(before)}</th>
            <th scope="col">{t(after)}</th>
          </tr>
        </thead>
        <tbody>
          {differenceLines(page, differences.slice(0, maxDifferences)).map((line) => (
            <tr key={line.key} data-what={line.what}>
              <td>
                <Tag color={called[line.what].color}>{t(called[line.what].label)}</Tag>
              </td>
              <th scope="row">{line.label}</th>
              {sides(line.field, line)}
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length > maxDifferences && <p className="muted">{t(texts.more, differences.length - maxDifferences)}</p>}
    </>
  );
};
