import type { Field } from '@farlink/contract/kit/field.ts';
import { rateText } from '@farlink/contract/kit/units.ts';
import { type Refs, valueText } from '../../../kit/document/value-text.ts';
import { nothing, numberText } from '../../../ui/format.ts';
import { Tag } from '../../../ui/native/tag.tsx';

/** Colors of good, bad and warning states; other values have no color. */
const hues: Readonly<Record<string, string>> = Object.fromEntries([
  ...['on', 'up', 'active', 'success', 'inside', 'in_network', 'tracking', 'live', 'login', 'in', 'formal', 'initialized', 'ok'].map(
    (id) => [id, 'green'],
  ),
  ...[
    'off',
    'down',
    'fail',
    'failed',
    'error',
    'critical',
    'reject',
    'block',
    'die',
    'oom',
    'lost',
    'offline',
    'fault',
    'ban',
    'suspended',
  ].map((id) => [id, 'red']),
  ...['abnormal', 'warning', 'expired', 'conflict', 'alarm', 'isolate', 'tx_muted', 'blocked', 'searching', 'update_available', 'drop'].map(
    (id) => [id, 'orange'],
  ),
  ...['standby', 'connecting', 'entering', 'leaving', 'acquiring', 'booting', 'notice', 'share_read'].map((id) => [id, 'blue']),
]);

const isPlainNumber = (name: string) => /port|channel|code|_id$/.test(name);

export const isRightColumn = (field: Field) => field.kind === 'int' || field.kind === 'duration';

/** Monospace, so that digits align. */
const isMono = (field: Field) => field.rules.some(({ name }) => name === 'ipv4' || name === 'mac' || name === 'cidr');

interface LiveValueProps {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  readonly refs: Refs;
}

/** One reported value, formatted for display. */
export const LiveValue = ({ name, field, value, refs }: LiveValueProps) => {
  if (value === undefined || value === null || value === '') return nothing;
  if (field.kind === 'choice') {
    const hue = hues[String(value)];
    const text = valueText(field, value, refs);
    return hue ? <Tag color={hue}>{text}</Tag> : text;
  }
  if (field.kind === 'int' && field.unit === undefined) return isPlainNumber(name) ? String(value) : numberText(value);
  const text = field.unit === 'kbps' ? rateText(Number(value)) : valueText(field, value, refs);
  return (
    <span className={isMono(field) ? 'clip mono' : 'clip'} data-tip="">
      {text}
    </span>
  );
};
