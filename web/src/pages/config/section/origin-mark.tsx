import type { Origin } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../../kit/chrome/lang.ts';

const texts = {
  fromOf: ['{0}：{1}', '{0}: {1}'],
} as const satisfies Record<string, Text>;

const origins: Readonly<Record<Origin['from'], { readonly label: Text; readonly hue: string }>> = {
  device: { label: ['本机', 'Own'], hue: 'cyan' },
  group: { label: ['组模板', 'Group template'], hue: 'purple' },
  vno: { label: ['VNO模板', 'VNO template'], hue: 'purple' },
  platform: { label: ['平台模板', 'Platform template'], hue: 'purple' },
  factory: { label: ['出厂', 'Factory'], hue: 'default' },
};

export const originText = ({ from, name }: Origin) => (name ? t(texts.fromOf, origins[from].label, name) : t(origins[from].label));

/** Origin of a value. Factory values have no mark. */
export const OriginMark = ({ origin }: { readonly origin: Origin | undefined }) =>
  origin &&
  origin.from !== 'factory' && (
    <span className={`origin hue-${origins[origin.from].hue}`} data-tip={originText(origin)}>
      {t(origins[origin.from].label)}
    </span>
  );
