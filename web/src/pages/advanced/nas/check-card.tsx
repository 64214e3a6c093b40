import { type CheckState, nasChecks, type Observed } from '@farlink/contract/advanced/nas-checks.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { timeText } from '../../../ui/format.ts';
import { Point } from '../../../ui/native/tag.tsx';
import './nas.css';

const title: Text = ['接入检查', 'Check list'];
const states: Readonly<Record<CheckState, { readonly label: Text; readonly color: string }>> = {
  ok: { label: ['正常', 'OK'], color: 'green' },
  warning: { label: ['需处理', 'Check'], color: 'orange' },
  none: { label: ['未见', 'Not seen'], color: 'default' },
};

/** What the platform has seen of a NAS, and what is missing. */
export const CheckCard = ({ nas }: { readonly nas: Observed }) => (
  <section className="card nas-card" aria-label={t(title)}>
    <h3>{t(title)}</h3>
    <ul className="nas-checks">
      {nasChecks(nas).map(({ key, label, state, text, at }) => (
        <li key={key}>
          <strong>{t(label)}</strong>
          <Point color={states[state].color}>{t(states[state].label)}</Point>
          <span>
            {t(text)}
            {at !== null && <span className="muted"> {timeText(at)}</span>}
          </span>
        </li>
      ))}
    </ul>
  </section>
);
