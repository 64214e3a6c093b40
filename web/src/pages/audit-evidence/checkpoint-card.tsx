import type { EvidenceStatus } from '@farlink/contract/audit/audit-evidence.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { copyText } from '../../ui/browser/copy.ts';
import { ActButton } from '../../ui/native/act-button.tsx';
import { texts } from './texts.ts';

const copy = async (text: string) => ((await copyText(text)) ? notify.success(t(texts.copied)) : notify.error(t(texts.notCopied)));

const download = (name: string, text: string) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};

const Block = ({ title, file, text }: { readonly title: Text; readonly file: string; readonly text: string }) => (
  <section className="evidence-block" aria-label={t(title)}>
    <header>
      <h3>{t(title)}</h3>
      <ActButton label={t(texts.copy)} of={t(title)} onClick={() => void copy(text)} />
      <ActButton label={t(texts.download)} of={t(title)} onClick={() => download(file, text)} />
    </header>
    <details>
      <summary className="muted small">{t(texts.show)}</summary>
      <pre>{text}</pre>
    </details>
  </section>
);

/** The newest checkpoint and the key that signs it, to keep elsewhere. */
export const CheckpointCard = ({ status }: { readonly status: EvidenceStatus }) =>
  status.checkpoint === '' ? null : (
    <div className="flow card evidence-card">
      <Block title={texts.checkpoint} file="checkpoint.txt" text={status.checkpoint} />
      <Block title={texts.key} file="key.txt" text={`${status.public_key}\n`} />
      <p className="muted">{t(texts.keepIt)}</p>
    </div>
  );
