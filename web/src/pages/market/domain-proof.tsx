import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { domainCalls, type ProofCheck } from '@farlink/contract/market/domain.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { Dialog } from '../../kit/form/dialog.tsx';
import { call } from '../../kit/net/call.ts';
import { useMe } from '../../kit/net/session.ts';
import { copyText } from '../../ui/browser/copy.ts';
import { Button } from '../../ui/native/button.tsx';
import { Callout } from '../../ui/native/callout.tsx';
import { CopyIcon } from '../../ui/theme/icons.ts';
import './market.css';

const texts = {
  title: ['所有权验证', 'Verify ownership'],
  how: [
    '请在域名 {0} 的DNS中添加以下TXT记录，证明您拥有该域名。验证通过前域名不会启用；通过后每天复查，记录消失7天后停用。',
    'Add this TXT record to the DNS of {0} to prove that you own it. The domain is used only after the check succeeds. It is checked daily and no longer used when the record has been missing for 7 days.',
  ],
  point: ['另外，将域名解析（CNAME或A记录）到本平台。', 'Also point the domain to this platform with a CNAME or A record.'],
  type: ['记录类型', 'Type'],
  name: ['记录名', 'Name'],
  value: ['记录值', 'Value'],
  copy: ['复制{0}', 'Copy {0}'],
  copied: ['已复制', 'Copied'],
  notCopied: ['复制失败，请手动选择复制', 'Copying failed. Select the text and copy it.'],
  check: ['立即检查', 'Check now'],
  close: ['关闭', 'Close'],
} as const satisfies Record<string, Text>;

const Line = ({ label, value }: { readonly label: string; readonly value: string }) => {
  const copy = async () => ((await copyText(value)) ? notify.success(t(texts.copied)) : notify.warning(t(texts.notCopied)));
  return (
    <div>
      <dt>{label}</dt>
      <dd className="mono">{value}</dd>
      <dd>
        <Button size="small" icon={<CopyIcon aria-hidden />} aria-label={t(texts.copy, label)} onClick={() => void copy()} />
      </dd>
    </div>
  );
};

/** The TXT record that proves the ownership of a domain, and a check of it. */
export const DomainProof = ({ row, onClose }: { readonly row: AnyRow; readonly onClose: () => void }) => {
  const client = useQueryClient();
  const me = useMe();
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<ProofCheck>();
  const check = async () => {
    setBusy(true);
    try {
      setResult(await call(domainCalls.check, { id: row.id }, { overlay: false }));
      void client.invalidateQueries();
    } catch {
      // The call has shown its error.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open title={t(texts.title)} width={640} onClose={onClose}>
      <p className="domain-proof-text">{t(texts.how, String(row.domain))}</p>
      <dl className="domain-proof">
        <div>
          <dt>{t(texts.type)}</dt>
          <dd className="mono">TXT</dd>
        </div>
        <Line label={t(texts.name)} value={String(row.txt_name)} />
        <Line label={t(texts.value)} value={String(row.txt_value)} />
      </dl>
      <p className="muted">{t(texts.point)}</p>
      {result ? (
        <Callout tone={result.is_proven ? 'success' : 'warning'}>{result.message}</Callout>
      ) : (
        typeof row.last_error === 'string' && <Callout tone="warning">{row.last_error}</Callout>
      )}
      <div className="domain-proof-actions">
        <Button onClick={onClose}>{t(texts.close)}</Button>
        <Button kind="primary" data-first loading={isBusy} disabled={!mayCall(domainCalls.check, me)} onClick={() => void check()}>
          {t(texts.check)}
        </Button>
      </div>
    </Dialog>
  );
};
