import { blacklistKind, type DangerTest, dangerSiteCalls } from '@farlink/contract/advanced/danger-site.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { t } from '../../../kit/chrome/lang.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { Input } from '../../../ui/antd/input.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Tag } from '../../../ui/native/tag.tsx';

const texts = {
  title: ['拦截测试', 'Test an address'],
  example: ['域名或网址，如 https://www.example.com/page', 'Domain or address, such as https://www.example.com/page'],
  submit: ['测试', 'Test'],
  blocked: ['{0} 会被拦截，命中', '{0} would be blocked by'],
  disabled: ['{0} 不会被拦截，该条目已禁用：', '{0} would not be blocked. This entry is disabled:'],
  free: ['{0} 不会被拦截，不在名单中。', '{0} would not be blocked. It is not in the list.'],
} as const satisfies Record<string, Text>;

const Result = ({ host, is_blocked: isBlocked, entry }: DangerTest) => {
  const [, setQuery] = useSearchParams();
  const kind = blacklistKind.find(({ id }) => id === entry?.kind);
  const text = !entry ? texts.free : isBlocked ? texts.blocked : texts.disabled;
  return (
    <p className="row wrap danger-result" data-tone={isBlocked ? 'blocked' : 'free'} role="status">
      <span>{t(text, host)}</span>
      {entry && (
        <Button kind="link" size="small" onClick={() => setQuery({ domain: entry.domain })}>
          {entry.domain}
        </Button>
      )}
      {kind && <Tag color={kind.color}>{t(kind.label)}</Tag>}
    </p>
  );
};

/** Whether an address would be blocked, and by which entry. */
export const DangerTestBox = () => {
  const id = useId();
  const [domain, setDomain] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<DangerTest | string>();
  const test = async () => {
    setBusy(true);
    try {
      setResult(await call(dangerSiteCalls.test, { domain: domain.trim() }, { silent: true, overlay: false }));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setResult(error.fields.domain ?? error.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="danger-test"
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        if (!isBusy && domain.trim() !== '') void test();
      }}
    >
      <label htmlFor={id}>{t(texts.title)}</label>
      <div className="row danger-input">
        <Input
          id={id}
          value={domain}
          maxLength={255}
          placeholder={t(texts.example)}
          aria-invalid={typeof result === 'string'}
          status={typeof result === 'string' ? 'error' : ''}
          onChange={(e) => {
            setDomain(e.target.value);
            setResult(undefined);
          }}
        />
        <Button type="submit" loading={isBusy} disabled={domain.trim() === ''}>
          {t(texts.submit)}
        </Button>
      </div>
      {typeof result === 'string' ? (
        <p className="refusal" role="alert">
          {result}
        </p>
      ) : (
        result && <Result {...result} />
      )}
    </form>
  );
};
