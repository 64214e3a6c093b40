import { type ConfigPage, configCalls } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { Button } from '../../../ui/native/button.tsx';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { StateTag } from '../apply/state-tag.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { pageKey } from '../use-config.ts';

const texts = {
  title: ['网关上的当前值尚未读取', 'The current values of the gateway are not known yet'],
  hint: ['读取后才能查看和修改本页', 'Read them to view and change this page'],
  failed: ['网关未返回本页内容，可再次读取', 'The gateway did not send this page. You can try again.'],
  open: ['已请网关上报，收到后自动显示', 'Requested from the gateway. The values appear when it replies.'],
  read: ['从网关读取', 'Read from the gateway'],
} as const satisfies Record<string, Text>;

interface UnreadSectionProps {
  readonly deviceId: number;
  readonly page: GatewayPage;
  readonly data: ConfigPage;
}

/** A page whose values the gateway has not reported. They are requested instead of shown as factory values. */
export const UnreadSection = ({ deviceId, page, data }: UnreadSectionProps) => {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const read = async () => {
    setBusy(true);
    try {
      const next = await call(configCalls.page, { device_id: deviceId, page: page.key, ask: true }, { overlay: false });
      client.setQueryData<ConfigPage>(pageKey(deviceId, page.key), next);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    } finally {
      setBusy(false);
    }
  };
  const hint = { open: texts.open, failed: texts.failed, none: texts.hint }[data.reading ?? 'none'];
  return (
    <>
      <PageHead page={page} bar={<StateTag data={data} />} />
      <EmptyState title={t(texts.title)} hint={t(hint)}>
        {data.reading !== 'open' && (
          <Button kind="primary" loading={busy} onClick={() => void read()}>
            {t(texts.read)}
          </Button>
        )}
      </EmptyState>
    </>
  );
};
