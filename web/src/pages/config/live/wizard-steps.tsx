import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { type Refs, valueText } from '../../../kit/document/value-text.ts';
import { Callout } from '../../../ui/native/callout.tsx';
import type { GuideStep } from '../frame/guide-steps.ts';

const texts = {
  steps: ['步骤', 'Steps'],
  review: ['核对', 'Review'],
  hint: [
    '将据此生成各配置页的草稿；核对差异并下发后才会生效',
    'Creates drafts of the configuration pages. They take effect after you review and apply them.',
  ],
  wrong: ['还有 {0} 项需要修改', 'Fields to correct: {0}'],
} as const satisfies Record<string, Text>;

export const isRelevant = (page: GatewayPage, values: Values, name: string) => page.fields[name]?.when?.(values) !== false;

interface StepListProps {
  readonly steps: readonly GuideStep[];
  readonly current: number;
  /** Number of wrong fields among these. */
  readonly wrongIn: (names: readonly string[]) => number;
  readonly onSelect: (index: number) => void;
}

/** The steps of a wizard and its review, each with its errors. */
export const StepList = ({ steps, current, wrongIn, onSelect }: StepListProps) => (
  <ol className="guide-steps" aria-label={t(texts.steps)}>
    {[...steps, { title: texts.review, fields: [] }].map(({ title, fields }, i) => (
      <li key={title[1]} className="row">
        <button
          type="button"
          className="inline"
          aria-current={i === current ? 'step' : undefined}
          data-wrong={wrongIn(fields) > 0 || undefined}
          onClick={() => onSelect(i)}
        >
          <span aria-hidden>{i + 1}</span>
          <span>{t(title)}</span>
        </button>
      </li>
    ))}
  </ol>
);

interface StepSummaryProps {
  readonly page: GatewayPage;
  readonly values: Values;
  readonly refs: Refs;
  readonly wrongCount: number;
}

/** All values of a wizard before its drafts are made. */
export const StepSummary = ({ page, values, refs, wrongCount }: StepSummaryProps) => (
  <>
    {wrongCount > 0 && <Callout tone="error">{t(texts.wrong, wrongCount)}</Callout>}
    <dl className="guide-summary">
      {Object.entries(page.fields)
        .filter(([name]) => isRelevant(page, values, name))
        .map(([name, field]) => (
          <div key={name} className="guide-fact">
            <dt>{t(field.label)}</dt>
            <dd className="clip">{valueText(field, values[name], refs)}</dd>
          </div>
        ))}
    </dl>
    <p className="hint">{t(texts.hint)}</p>
  </>
);
