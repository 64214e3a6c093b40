import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';

const texts = {
  one: ['1台设备仍在使用旧版本', '1 device serves an older revision'],
  many: ['{0}台设备仍在使用旧版本', '{0} devices serve an older revision'],
  send: ['下发', 'Send'],
} as const satisfies Record<string, Text>;

interface OutdatedCalloutProps {
  readonly count: number;
  /** Undefined without the permission to send. */
  readonly onSend: (() => void) | undefined;
}

/** A saved portal reaches devices only when it is sent. */
export const OutdatedCallout = ({ count, onSend }: OutdatedCalloutProps) => (
  <Callout tone="warning">
    {count === 1 ? t(texts.one) : t(texts.many, count)}
    {onSend && (
      <span className="stale-actions">
        <ActButton label={t(texts.send)} onClick={onSend} />
      </span>
    )}
  </Callout>
);
