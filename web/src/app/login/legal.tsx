import type { Clause } from '@farlink/contract/auth/agreement.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { importRetry } from '../load-chunk.ts';
import { toLogin } from './use-hash.ts';

const loading: Text = ['加载中…', 'Loading…'];
const failed: Text = ['加载失败，请关闭后重试', 'Loading failed. Close this and try again.'];
const read: Text = ['我知道了', 'Close'];

const legalDocuments = {
  agreement: {
    title: ['服务协议', 'Service Agreement'],
    load: async () => (await import('@farlink/contract/auth/agreement.ts')).agreement,
  },
  privacy: { title: ['隐私政策', 'Privacy Policy'], load: async () => (await import('@farlink/contract/auth/privacy.ts')).privacy },
} as const satisfies Record<string, { title: Text; load: () => Promise<readonly Clause[]> }>;

type LegalDocument = keyof typeof legalDocuments;
export const isLegalDocument = (name: string): name is LegalDocument => name in legalDocuments;

const ClauseText = ({ clause }: { clause: Clause }) => (
  <>
    <h3>{t(clause.title)}</h3>
    {clause.paragraphs.map((p) => (
      <p key={p[0]}>{t(p)}</p>
    ))}
  </>
);

export const Legal = ({ name }: { name: LegalDocument }) => {
  const box = useRef<HTMLDialogElement>(null);
  const [clauses, setClauses] = useState<readonly Clause[] | 'failed'>();
  const { title, load } = legalDocuments[name];

  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  useEffect(() => {
    importRetry(load).then(setClauses, () => setClauses('failed'));
  }, [load]);

  return (
    <dialog
      ref={box}
      className="legal"
      role="alertdialog"
      aria-labelledby="legal-title"
      onCancel={(e) => e.preventDefault()}
      onClose={(e) => e.currentTarget.open || toLogin()}
    >
      <h2 id="legal-title">{t(title)}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className="legal-text" tabIndex={0} aria-labelledby="legal-title">
        {clauses === undefined && t(loading)}
        {clauses === 'failed' && t(failed)}
        {typeof clauses === 'object' && clauses.map((clause) => <ClauseText key={clause.title[0]} clause={clause} />)}
      </section>
      <footer>
        <button type="button" className="solid" onClick={toLogin}>
          {t(read)}
        </button>
      </footer>
    </dialog>
  );
};
